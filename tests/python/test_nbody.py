import numpy as np
import pytest

import weft


def pairs(positions, masses, softening):
    """Accelerations and potentials, one pair after the other."""
    apart = positions[None] - positions[:, None]
    distance = np.sqrt((apart**2).sum(axis=2) + softening**2)
    np.fill_diagonal(distance, np.inf)
    return (masses[None, :, None] * apart / distance[..., None] ** 3).sum(axis=1), -(masses[None] / distance).sum(axis=1)


def test_forces_are_those_of_all_pairs(comm):
    counts = [30 + 10 * rank for rank in range(comm.size)]
    every = np.random.default_rng(1).normal(size=(sum(counts), 3))
    masses = np.random.default_rng(2).random(sum(counts))
    first = sum(counts[: comm.rank])
    mine = slice(first, first + counts[comm.rank])
    found = weft.nbody(every[mine], np.zeros((counts[comm.rank], 3)), masses[mine], theta=0.0, softening=0.05, comm=comm)
    accelerations, potentials = pairs(every, masses, 0.05)
    # The mean acceleration is taken out, so that momentum stays.
    accelerations -= (masses[:, None] * accelerations).sum(axis=0) / masses.sum()
    assert np.allclose(found.accelerations, accelerations[mine], atol=1e-9)
    assert np.allclose(found.potentials, potentials[mine])
    assert np.array_equal(found.positions, every[mine]) and found.before.particles == sum(counts)
    assert found.before.mass == pytest.approx(masses.sum()) and found.before == found.after


def test_two_bodies_on_a_circle(comm):
    """Both come home to the rank that gave them, whichever has them meanwhile."""
    mine = comm.rank == comm.size - 1
    places = np.array([[0.5, 0, 0], [-0.5, 0, 0]] if mine else np.empty((0, 3)))
    speeds = np.array([[0, 0.5**0.5, 0], [0, -(0.5**0.5), 0]] if mine else np.empty((0, 3)))
    steps = 200
    period = 2 * np.pi * 0.5 / 0.5**0.5
    found = weft.nbody(places, speeds, 1.0, steps=steps, time_step=period / steps, comm=comm)
    assert np.allclose(found.positions, places, atol=1e-2) and np.allclose(found.velocities, speeds, atol=1e-2)
    assert found.after.energy == pytest.approx(found.before.energy, rel=1e-4)


@pytest.mark.parametrize("bad, text", [
    (dict(positions=np.zeros((2, 2))), r"positions: its shape is \(2, 2\); expected \(2, 3\)"),
    (dict(velocities=np.zeros((3, 3))), r"velocities: its shape is \(3, 3\); expected \(2, 3\)"),
    (dict(masses=["a", "b"]), "masses: an array of <U1"), (dict(masses=[-1.0, 1.0]), "mass"),
    (dict(softening=[1.0]), "softening: its shape"), (dict(steps=-1), "steps: -1"), (dict(steps=1.5), "steps: 1.5"),
    (dict(theta=np.nan), "theta: nan"), (dict(theta=2.0), "theta"), (dict(positions=np.full((2, 3), np.inf)), "finite"),
])
def test_bad_arguments_of_one_rank_are_errors_of_all(comm, bad, text):
    good = dict(positions=np.eye(3)[:2] + comm.rank, velocities=np.zeros((2, 3)), masses=1.0)
    with pytest.raises(weft.UsageError, match=text if comm.size == 1 or "theta" not in bad else "theta"):
        weft.nbody(**{**good, **(bad if comm.rank == 0 else {})}, comm=comm)
