"""What each rank sends in a collective that is executed and proved, beside the models' volumes."""

import collectives

SOME = (2, 3, 4, 5, 8, 12)  # ranks


def sent(collective, algorithm, ranks, **more):
    """Bytes each rank sends, executed and proved, and bytes of the vector."""
    recording = collectives.record(collective, algorithm, ranks=ranks, **more)
    assert recording.check().ok
    return max(recording.bytes_sent[:ranks]), recording.count * recording.dtype.itemsize
