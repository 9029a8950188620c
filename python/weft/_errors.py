"""The exceptions of Weft. An error on one rank of a collective call is an exception on all ranks."""


class Error(Exception):
    """Base of all exceptions of Weft."""


class UsageError(Error, ValueError):
    """The call breaks its contract: an argument out of range, of a wrong dtype or shape, or calls in a wrong order.

    Where only one rank sees it, all ranks of a collective call raise it with the same text.
    """


class InputError(Error, OSError):
    """A file cannot be opened, read or written, or its content breaks its format. The same on all ranks."""


class WireError(Error):
    """Bytes that do not decode to the expected value."""


class MpiError(Error):
    """MPI reported an error.

    Attributes
    ----------
    code : int
        The error code that the call of MPI returned.
    """

    code: int = 0


class RemoteError(Error):
    """Another rank raised: the exception of the ranks that did not fail, with the text of the one that did.

    Attributes
    ----------
    rank : int
        The rank that failed, in the communicator of the call.
    """

    rank: int = -1
