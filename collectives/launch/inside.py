"""Plays a recording from inside a job of MPI or torch that somebody else has started."""

from __future__ import annotations

from typing import Any

import numpy as np

from collectives.errors import BadInput, NotInstalled
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
        By default all processes of a job of torch.distributed; a process group is begun where
        the job has none yet, and stays.
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
        For another number of processes, data of another shape or dtype, and outside of a job.
    NotInstalled
        Without torch where there is no communicator.

    Examples
    --------
    In a file that mpirun starts on four processes::

        from mpi4py import MPI
        total = play(record("all_reduce", "ring", ranks=4), MPI.COMM_WORLD)
    """
    check_recording(recording)
    transport: Any = Mpi(comm) if hasattr(comm, "Irecv") else _torch(comm)
    try:
        values = _own_values(recording, transport, data)
        plan = plan_of(recording).as_json(seconds("timeout", timeout), oversubscribed=True)
        player = Player(plan, transport, values)
        player.run()
        return player.result()
    finally:
        transport.release()


def _torch(group: Any) -> Torch:
    """Messages by torch; raises NotInstalled without it, BadInput where there is no job."""
    try:
        return Torch(comm=group)
    except ImportError as problem:
        need = f"play without a communicator needs torch ({problem})"
        raise NotInstalled(need, command="pip install torch") from None
    except LookupError as problem:
        raise BadInput(f"{problem}; try: start this file by torchrun") from None


def _own_values(recording: Recording, transport: Any, data: Any) -> Any:
    """What this process contributes; raises BadInput where it does not fit the recording."""
    if transport.size != recording.nodes:
        raise BadInput(
            f"{plural(transport.size, 'process')}: {recording.title} is recorded for "
            f"{recording.nodes}; try: ranks={transport.size}"
        )
    if transport.rank >= recording.ranks:
        return None
    values = recording.inputs[transport.rank] if data is None else np.asarray(data)
    expected = (recording.count,)
    if values.shape != expected or values.dtype != recording.dtype:
        raise BadInput(
            f"data of shape {values.shape} and dtype {values.dtype}: the recording has "
            f"{expected} and {recording.dtype}"
        )
    return values
