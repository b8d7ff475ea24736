"""Plays a recording from inside a job of MPI or torch that somebody else has started."""

from __future__ import annotations

from typing import Any

import numpy as np

from collectives.errors import BadInput
from collectives.launch.plan import plan_of
from collectives.launch.player import Player
from collectives.launch.transports import Mpi, Torch
from collectives.recording.recording import Recording, check_recording
from collectives.values import seconds
from collectives.words import plural


def play(recording: Recording, comm: Any = None, data: Any = None, timeout: float = 600.0) -> Any:
    """Play a recording on the processes of a communicator; each of them calls this.

    Parameters
    ----------
    recording : Recording
        The same in every process, of as many nodes as there are processes.
    comm : mpi4py communicator or torch process group, optional
        By default all processes of a job of torch.distributed.
    data : array, shape [element], optional
        What this rank contributes, of the recording's dtype and count; by default its row of
        `recording.inputs`.
    timeout : float
        Seconds to wait for a message, after which TimeoutError names the rank that is waited for.

    Returns
    -------
    array
        What this rank ends with.

    Raises
    ------
    BadInput
        For another number of processes, or data of another shape or dtype.

    Examples
    --------
    In a file that mpirun starts on four processes::

        from mpi4py import MPI
        total = play(record("all_reduce", "ring", ranks=4), MPI.COMM_WORLD)
    """
    check_recording(recording)
    transport: Any = Mpi(comm) if hasattr(comm, "Irecv") else Torch(comm=comm)
    if transport.size != recording.nodes:
        raise BadInput(
            f"{plural(transport.size, 'process')}: {recording.title} is recorded for "
            f"{recording.nodes}; nearest: ranks={transport.size}"
        )
    values = None
    if transport.rank < recording.ranks:
        values = recording.inputs[transport.rank] if data is None else np.asarray(data)
        expected = (recording.count,)
        if values.shape != expected or values.dtype != recording.dtype:
            raise BadInput(
                f"data of shape {values.shape} and dtype {values.dtype}: the recording has "
                f"{expected} and {recording.dtype}"
            )
    plan = plan_of(recording).as_json(seconds("timeout", timeout), oversubscribed=True)
    player = Player(plan, transport, values)
    player.run()
    return player.result()
