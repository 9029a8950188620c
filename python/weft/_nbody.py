"""Particles that attract each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _weft
from ._arguments import number, whole
from ._arrays import Array, plain
from ._collective import all_gather
from ._communicator import AnyCommunicator, agreed
from ._convention import on_ranks
from ._errors import UsageError
from ._exchange import exchange
from ._progress import Progress, teller

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Totals:
    """Sums over all particles, such as mass and momentum; equal on all ranks.

    Examples
    --------
    >>> import numpy as np, weft
    >>> found = weft.nbody(np.eye(3), np.zeros((3, 3)), 1.0, steps=1, time_step=0.01, softening=0.1)
    >>> weft.Communicator().size > 1 or found.after.mass == 3.0
    True
    """

    particles: int
    """The number of particles."""
    mass: float
    """The sum of all masses."""
    center_of_mass: list[float]
    """The centre of mass, as x, y and z."""
    momentum: list[float]
    """The momentum along x, y and z."""
    angular_momentum: list[float]
    """The angular momentum about the origin, along x, y and z."""
    kinetic: float
    """The kinetic energy."""
    potential: float
    """The potential energy, which is negative."""

    @property
    def energy(self) -> float:
        """The sum of kinetic and potential energy of all particles."""
        return self.kinetic + self.potential


@dataclass(frozen=True)
class Particles:
    """Particles after some steps. Attributes that are arrays have an element for each particle that this rank passed, in the same order.

    Examples
    --------
    >>> import numpy as np, weft
    >>> comm = weft.Communicator()
    >>> found = weft.nbody(np.eye(3) + comm.rank, np.zeros((3, 3)), 1.0, steps=1, time_step=0.01, softening=0.1)
    >>> found.positions.shape
    (3, 3)
    """

    positions: Floats
    """The positions, as x, y and z; shape (n, 3)."""
    velocities: Floats
    """The velocities along x, y and z; shape (n, 3)."""
    accelerations: Floats
    """The accelerations along x, y and z; shape (n, 3)."""
    potentials: Floats
    """The gravitational potential at each particle of all other particles, per unit of mass."""
    before: Totals
    """The sums over all particles before the first step."""
    after: Totals
    """The sums over all particles after the last step."""


def _array(name: str, value: Any, shape: tuple[int, ...]) -> Floats:
    array = plain(name, value)
    if array.dtype.kind not in "iuf":
        raise UsageError(f"{name}: an array of {array.dtype}; expected numbers")
    if np.ndim(value) == 0:
        array = np.full(shape, array[0])
    if array.size == 0:
        array = array.reshape(0, *shape[1:])
    if array.shape != shape:
        raise UsageError(f"{name}: its shape is {array.shape}; expected {shape}")
    return np.ascontiguousarray(array, np.float64)


@on_ranks
def nbody(positions: Any, velocities: Any, masses: Any, *, steps: int = 0, time_step: float = 0.01, softening: Any = 0.0,
          theta: float = 0.5, gravitational_constant: float = 1.0, progress: Progress | None = None,
          comm: AnyCommunicator = None) -> Particles:
    """Moves particles that attract each other by gravity, by the method of Barnes and Hut. Collective.

    Parameters
    ----------
    positions, velocities : array, shape (n, 3)
        The positions and velocities of this rank's particles; a rank may pass an empty array.
    masses : float or array, shape (n,)
    steps : int
        The number of time steps of the leapfrog method; with 0, the call only computes the forces.
    time_step : float
    softening : float or array, shape (n,)
        The softening length of Plummer: at distances below this length, the attraction is weaker.
    theta : float
        From 0 to 1. A cell of the tree counts as one body if its side is at most theta times its distance; with 0, the forces of all pairs
        are summed.
    gravitational_constant : float
    progress : function of (done, all), or bar of tqdm, optional
        Called after each step. Any rank may pass a progress function.
    comm : Communicator, mpi4py.MPI.Comm or None

    Returns
    -------
    Particles

    Raises
    ------
    UsageError
        On all ranks: arrays of wrong shapes, numbers that are not finite, options that are out of range or differ between ranks.

    Examples
    --------
    >>> import numpy as np, weft
    >>> comm = weft.Communicator()
    >>> x = np.random.default_rng(comm.rank).normal(size=(50, 3))
    >>> found = weft.nbody(x, np.zeros((50, 3)), 1 / (50 * comm.size), steps=5, softening=0.1)
    >>> abs(found.after.energy - found.before.energy) < 1e-3 * abs(found.before.energy)
    True
    """
    with agreed(comm, "nbody") as call:
        count = len(plain("positions", positions))
        places = _array("positions", positions, (count, 3))
        speeds = _array("velocities", velocities, (count, 3))
        weights, softenings = _array("masses", masses, (count,)), _array("softening", softening, (count,))
        moves, step = whole("steps", steps, 0, 2**62), number("time_step", time_step)
        opening = number("theta", theta)
        constant = number("gravitational_constant", gravitational_constant)
        tell = None if progress is None else teller("progress", progress, moves)
        call.same(f"of {moves} steps of {step}, theta {opening}, gravitational constant {constant}")
    native = call.native
    bounds = np.cumsum([0, *all_gather(comm, len(places))])
    system = _weft.Gravity.make(native, places, speeds, weights, softenings, int(bounds[native.rank]), opening, constant)
    system.find_forces()
    before = Totals(**system.totals())
    if not any(all_gather(native, tell is not None)):
        system.advance(step, moves)
    else:
        for done in range(1, moves + 1):
            system.advance(step, 1)
            with agreed(native, "nbody"):  # what it raises ends the call on all ranks
                if tell is not None:
                    tell(done)
    after = Totals(**system.totals())

    # Domains have the particles now; each goes back to the rank that gave it.
    numbers = system.numbers
    rows = np.concatenate([system.positions.reshape(-1, 3), system.velocities.reshape(-1, 3),
                           system.accelerations.reshape(-1, 3), system.potentials[:, None]], axis=1)
    record = np.zeros(len(numbers), [("number", np.int64), ("row", np.float64, (10,))])
    record["number"], record["row"] = numbers, rows
    back = exchange(comm, np.searchsorted(bounds, numbers, side="right") - 1, record).array
    home: Array = np.empty((len(places), 10))
    home[back["number"] - bounds[native.rank]] = back["row"]
    return Particles(home[:, :3].copy(), home[:, 3:6].copy(), home[:, 6:9].copy(), home[:, 9].copy(), before, after)
