"""Particles by name."""

import dataclasses
import struct

import numpy as np
import pytest

import weft

COUNT = 50
RANDOM = np.random.default_rng(5)
PLACES, SPEEDS, MASSES = RANDOM.normal(size=(COUNT, 3)), RANDOM.normal(size=(COUNT, 3)), RANDOM.random(COUNT) + 0.5


def together(comm, array):
    return np.concatenate(weft.all_gather(comm, array))


def written(comm, path, write):
    if comm.rank == 0:
        write(path)
    weft.barrier(comm)
    return path


def table(path):
    rows = np.column_stack([PLACES, SPEEDS, MASSES, np.arange(COUNT) + 100]).tolist()
    lines = [",".join([*map(repr, row[:-1]), str(int(row[-1]))]) for row in rows]
    path.write_text("\n".join(["x,y,z,vx,vy,vz,mass,id", *lines, ""]))


def gadget(path):
    """Format 1: two particles of halo, then the others of stars, each kind with a mass of its own."""
    counts, masses = [0, 2, 0, 0, COUNT - 2, 0], [0, 3.0, 0, 0, 0.25, 0]
    head = struct.pack("<6i6d2d2i6I2i", *counts, *masses, 7.5, 0, 0, 0, *counts, 0, 1).ljust(256, b"\0")
    ids = np.arange(COUNT, dtype="<u4")[::-1]
    blocks = [head, PLACES.astype("<f4").tobytes(), SPEEDS.astype("<f4").tobytes(), ids.tobytes()]
    path.write_bytes(b"".join(struct.pack("<i", len(each)) + each + struct.pack("<i", len(each)) for each in blocks))


def test_a_table_has_its_columns(comm, shared_folder):
    found = weft.read_particles(written(comm, shared_folder / "galaxy.csv", table), comm=comm)
    assert found.offsets[0] == 0 and found.offsets[-1] == COUNT and found.offsets.shape == (comm.size + 1,)
    assert len(found.masses) == found.offsets[comm.rank + 1] - found.offsets[comm.rank]
    assert np.array_equal(together(comm, found.positions), PLACES) and np.array_equal(together(comm, found.velocities), SPEEDS)
    assert np.array_equal(together(comm, found.masses), MASSES)
    assert together(comm, found.ids).tolist() == list(range(100, 100 + COUNT)) and not together(comm, found.softenings).any()


def test_a_snapshot_of_gadget_has_kinds_and_time(comm, shared_folder):
    found = weft.read_particles(written(comm, shared_folder / "galaxy.dat", gadget), softening=0.25, comm=comm)
    assert found.time == 7.5 and found.format.startswith("GADGET")
    assert np.array_equal(together(comm, found.positions), PLACES.astype("f4"))
    assert np.array_equal(together(comm, found.velocities), SPEEDS.astype("f4"))
    assert together(comm, found.kinds).tolist() == [1] * 2 + [4] * (COUNT - 2)
    assert together(comm, found.masses).tolist() == [3.0] * 2 + [0.25] * (COUNT - 2)
    assert together(comm, found.ids).tolist() == list(range(COUNT))[::-1] and (found.softenings == 0.25).all()
    assert np.all(np.abs(np.diff(found.offsets) - COUNT / comm.size) < 1)


def test_particles_of_a_file_move(comm, shared_folder):
    """As those that one rank gives."""
    file = written(comm, shared_folder / "places.npy", lambda path: np.save(path, PLACES))
    stars = weft.read_particles(file, softening=0.5, total_mass=5.0, comm=comm)
    assert np.allclose(stars.masses, 5.0 / COUNT, rtol=1e-15) and together(comm, stars.ids).tolist() == list(range(1, COUNT + 1))
    found = weft.nbody(stars.positions, stars.velocities, stars.masses, softening=stars.softenings, steps=2, comm=comm)
    here = slice(None) if comm.rank == 0 else slice(0, 0)
    same = weft.nbody(PLACES[here], 0 * PLACES[here], 5.0 / COUNT, softening=0.5, steps=2, comm=comm)
    moved = together(comm, found.positions)
    assert np.allclose(moved, together(comm, same.positions), rtol=1e-9, atol=1e-12) and not np.allclose(moved, PLACES, atol=1e-6)
    assert found.after.particles == COUNT and found.after.mass == pytest.approx(5.0)


def test_fewer_particles_than_ranks(comm, shared_folder):
    file = written(comm, shared_folder / "one.npy", lambda path: np.save(path, PLACES[:1]))
    found = weft.read_particles(file, comm=comm)
    assert found.positions.shape == found.velocities.shape == (len(found.ids), 3)
    assert together(comm, found.positions).tolist() == PLACES[:1].tolist() and together(comm, found.masses).tolist() == [1.0]


def test_what_is_no_file_of_particles(comm, shared_folder):
    with pytest.raises(weft.InputError, match="none.dat"):
        weft.read_particles(shared_folder / "none.dat", comm=comm)
    file = written(comm, shared_folder / "text.dat", lambda path: path.write_text("a letter, not a snapshot"))
    with pytest.raises(weft.InputError, match="expected particles"):
        weft.read_particles(file, comm=comm)
    file = written(comm, shared_folder / "masses.csv", table)
    with pytest.raises(weft.UsageError, match="total_mass"):
        weft.read_particles(file, total_mass=2.0, comm=comm)
    for bad, words in ((dict(softening=-1), "softening"), (dict(total_mass=0), "total_mass"), (dict(softening="a"), "softening")):
        with pytest.raises(weft.UsageError, match=words):
            weft.read_particles(file, comm=comm, **(bad if comm.rank == comm.size - 1 else {}))


@pytest.mark.parametrize("ending", [".csv", ".gadget"])
def test_what_is_written_can_be_read_again(comm, shared_folder, ending):
    file = written(comm, shared_folder / "particles.csv", table)
    stars = weft.read_particles(file, softening=0.25, comm=comm)
    stars = dataclasses.replace(stars, time=1.5)
    stars.write(shared_folder / f"again{ending}")
    again = weft.read_particles(shared_folder / f"again{ending}", comm=comm)
    # Each format divides a file among the ranks in its own way.
    for name in ("positions", "velocities", "masses", "ids", "kinds"):
        parts = [weft.gather(comm, getattr(snapshot, name)) for snapshot in (again, stars)]
        assert comm.rank > 0 or np.array_equal(*map(np.concatenate, parts)), name
    assert again.offsets[-1] == stars.offsets[-1]
    assert (again.softenings == 0.25).all() if ending == ".csv" else again.time == 1.5
    weft.barrier(comm)


def test_positions_are_written_as_an_array(comm, shared_folder):
    stars = weft.read_particles(written(comm, shared_folder / "particles.csv", table), comm=comm)
    stars.write(shared_folder / "places.npy")
    assert np.array_equal(np.load(shared_folder / "places.npy"), PLACES)
    weft.barrier(comm)


def test_snapshots_that_cannot_be_written(comm, shared_folder):
    stars = weft.read_particles(written(comm, shared_folder / "particles.csv", table), comm=comm)
    last = comm.rank == comm.size - 1
    with pytest.raises(weft.UsageError, match="masses: its shape is"):
        dataclasses.replace(stars, masses=stars.masses[1:] if last else stars.masses).write(shared_folder / "bad.csv")
    with pytest.raises(weft.UsageError, match="expected a name that ends with"):
        stars.write(shared_folder / "bad.h5")
    with pytest.raises(weft.UsageError, match="a GADGET file has kinds 0 to 5"):
        dataclasses.replace(stars, kinds=stars.kinds + 5).write(shared_folder / "bad.gadget")
    with pytest.raises(weft.InputError):
        stars.write(shared_folder / "no folder" / "bad.csv")
