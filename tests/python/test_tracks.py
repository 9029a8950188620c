import numpy as np
import pytest
from scipy import ndimage

import weft


def serial(frames, neighbors):
    """The objects of each frame, numbered through, and pairs of those that have a pixel in common."""
    shape = ndimage.generate_binary_structure(2, 1 if neighbors == 4 else 2)
    labels, count = np.zeros(frames.shape, int), 0
    for at, frame in enumerate(frames):
        own, found = ndimage.label(frame, shape)
        labels[at] = np.where(own > 0, own + count, 0)
        count += found
    links = {(a, b) for before, after in zip(labels, labels[1:]) for a, b in zip(before[(before > 0) & (after > 0)], after[(before > 0) & (after > 0)])}
    return labels, count, links


@pytest.mark.parametrize("neighbors", [4, 8])
@pytest.mark.parametrize("seed", range(3))
def test_objects_are_those_of_scipy(comm, neighbors, seed):
    frames = np.random.default_rng(seed).random((7, 9, 11)) < 0.35
    labels, count, links = serial(frames, neighbors)
    found = weft.track(frames, neighbors=neighbors, comm=comm)
    assert (found.frames, found.objects, found.links) == (7, count, len(links))
    numbers = np.concatenate(weft.all_gather(comm, found.numbers))
    assert numbers.tolist() == list(range(1, count + 1))
    sizes, frame = (np.concatenate(weft.all_gather(comm, each)) for each in (found.sizes, found.frame))
    assert sizes.tolist() == np.bincount(labels.reshape(-1))[1:].tolist()
    assert frame.tolist() == [int(np.argwhere(labels == number)[0][0]) for number in numbers]
    middles = np.concatenate(weft.all_gather(comm, found.centroids))
    assert np.allclose(middles, [np.argwhere(labels == number)[:, :0:-1].mean(axis=0) for number in numbers])
    for name, at in (("next", 0), ("previous", 1)):
        mine = {(int(number), int(other)) for number, others in zip(found.numbers, getattr(found, name)) for other in others}
        every = set().union(*weft.all_gather(comm, mine))
        assert every == {(int(pair[at]), int(pair[1 - at])) for pair in links}
    outgoing = [sum(a == number for a, _ in links) for number in numbers]
    incoming = [sum(b == number for _, b in links) for number in numbers]
    assert found.splits == sum(n > 1 for n in outgoing) and found.merges == sum(n > 1 for n in incoming)
    assert found.births == sum(n == 0 and f > 0 for n, f in zip(incoming, frame))
    assert found.deaths == sum(n == 0 and f < 6 for n, f in zip(outgoing, frame))


def test_tracks_are_components_of_the_sequence(comm):
    frames = np.zeros((4, 3, 8), np.uint8)
    for t in range(4):
        frames[t, 0, t : t + 2] = 9
    frames[2:, 2, 6] = 9
    found = weft.track(frames, 5, comm=comm)
    component, first, last = (np.concatenate(weft.all_gather(comm, each)).tolist() for each in (found.component, found.first_frame, found.last_frame))
    assert component == [1, 1, 1, 2, 1, 2] and first == [0, 0, 0, 2, 0, 2] and last == [3] * 6


def test_nothing_to_follow(comm):
    found = weft.track(np.zeros((3, 4, 5)), 1, comm=comm)
    assert found.objects == 0 and found.previous == [] and found.centroids.shape == (0, 2)


@pytest.mark.parametrize("given, text", [
    (dict(volume=np.zeros((3, 4))), "expected 3 dimensions"), (dict(neighbors=6), "neighbors: 6; expected 4 or 8"), (dict(threshold=None), "threshold"),
])
def test_mistakes_are_told(comm, given, text):
    with pytest.raises(weft.UsageError, match=text):
        weft.track(**{**dict(volume=np.zeros((3, 4, 5)), threshold=1, comm=comm), **given})
