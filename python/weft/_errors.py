"""The exceptions of Weft. An error on one rank of a collective call is an exception on all ranks."""


class Error(Exception):
    """Base class of all exceptions of Weft.

    Examples
    --------
    >>> import weft
    >>> try:
    ...     weft.label([1.0, 2.0])
    ... except weft.Error as error:
    ...     print(type(error).__name__)
    UsageError
    """


class UsageError(Error, ValueError):
    """A call was wrong: an argument is out of range or has a wrong dtype or shape, or calls come in a wrong order.

    Even if only one rank detects the error, all ranks of a collective call raise it with the same text.

    Examples
    --------
    >>> import weft
    >>> try:
    ...     weft.broadcast(1, root=-1)
    ... except ValueError as error:
    ...     print(isinstance(error, weft.UsageError))
    True
    """


class InputError(Error, OSError):
    """A file cannot be opened, read or written, or its content breaks its format. All ranks raise the same error.

    Examples
    --------
    >>> import weft
    >>> try:
    ...     weft.components("no such file.txt")
    ... except weft.InputError:
    ...     print("on all ranks")
    on all ranks
    """


class WireError(Error):
    """Received bytes do not decode to the expected value.

    Examples
    --------
    >>> import weft
    >>> issubclass(weft.WireError, weft.Error)
    True
    """


class MpiError(Error):
    """MPI reported an error.

    Attributes
    ----------
    code : int
        The error code that the call of MPI returned.

    Examples
    --------
    >>> import weft
    >>> issubclass(weft.MpiError, weft.Error)
    True
    """

    code: int = 0


class RemoteError(Error):
    """Another rank has failed. The ranks that did not fail raise this error, with the failed rank and the text of its exception.

    Attributes
    ----------
    rank : int
        The rank that failed, in the communicator of the call.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> def fails(block, id):
    ...     if id == 0:
    ...         raise KeyError("on the rank of block 0")
    >>> try:
    ...     weft.BlockSet(comm, comm.size, lambda id: id).for_each(fails)
    ... except KeyError:
    ...     print(comm.rank == 0)
    ... except weft.RemoteError as error:
    ...     print(error.rank == 0)
    True
    """

    rank: int = -1
