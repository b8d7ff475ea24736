"""Times and rankings on a machine by its name: `collectives.time` and `collectives.rank`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from collectives.catalog.parameters import NO_PARAMETERS
from collectives.collective import find_collective
from collectives.cost.choose.ranking import Ranking, rank_algorithms
from collectives.cost.choose.setup import COMMON, Setup, resized
from collectives.cost.clocks.clock import Clock, dataflow, lockstep
from collectives.cost.clocks.costs import Costs
from collectives.cost.clocks.timing import Timing
from collectives.cost.fault_texts import NO_FAULTS, Faults
from collectives.cost.machines import MACHINES, machine_key, topology_for
from collectives.cost.machines.scaled import scaled, split_times
from collectives.cost.machines.seats import seated, split_places
from collectives.cost.machines.topology import Topology
from collectives.cost.rankings_by import RankingsBy, rankings_by
from collectives.errors import BadInput
from collectives.recording.recording import Recording, check_recording
from collectives.recording.request import refuse_root
from collectives.units import size_in_bytes
from collectives.values import instance, items_of, one_of, whole

FAULTS = "Faults(late='1=5us')"  # an example
CLOCKS: dict[str, Clock] = {"lockstep": lockstep, "dataflow": dataflow}


def time(
    recording: Recording,
    topology: str | Topology = "crossbar",
    *,
    size: int | str | None = None,
    clock: str = "lockstep",
    costs: Costs | None = None,
    faults: Faults = NO_FAULTS,
    **parameters: object,
) -> Timing:
    """How long a recording takes on a machine.

    Parameters
    ----------
    recording : Recording
        What is timed.
    topology : str or Topology
        The machine: a name that `collectives.topology` knows, or a machine.
    size : int or str, optional
        Bytes of the vector, such as "1GiB"; by default the recording's own.
    clock : str
        "lockstep", in which steps wait for one another, or "dataflow", without a barrier.
    costs : Costs, optional
        What messages cost beside the links; by default nothing.
    faults : Faults, optional
        Slow, late and broken ranks and links; by default none.
    **parameters
        Parameters of the machine, such as latency="5us" and bandwidth="50GB/s"; with "2x" so many
        times those of its links.

    Returns
    -------
    Timing
        `total` is the time in seconds.

    Raises
    ------
    BadInput
        For a machine, a clock or a size that is unknown, and where the recording does not fit.

    Examples
    --------
    >>> from collectives import record
    >>> time(record("all_reduce", "ring", ranks=8), "hgx-h100", size="1GiB")
    <Timing: lockstep 4.19 ms, ring all-reduce, 8 ranks, on hgx-h100>
    """
    check_recording(recording)
    setup = setup_on(topology, clock, costs, parameters)
    if size is not None:
        recording = resized(recording, size_in_bytes(size))
    return _with_faults(setup, faults, recording.ranks).time(recording)


def rank(
    collective: str,
    *,
    ranks: int,
    size: int | str,
    topology: str | Topology = "crossbar",
    clock: str = "lockstep",
    costs: Costs | None = None,
    faults: Faults = NO_FAULTS,
    root: int = 0,
    **parameters: object,
) -> Ranking:
    """Every algorithm of a collective that fits a machine, the fastest first.

    Parameters
    ----------
    collective : str
        Its name, such as "all_reduce".
    ranks : int
        How many ranks take part.
    size : int or str
        Bytes of the vector, such as "1GiB".
    topology : str or Topology
        The machine: a name that `collectives.topology` knows, or a machine.
    clock : str
        "lockstep" or "dataflow"; see `collectives.time`.
    costs : Costs, optional
        What messages cost beside the links; by default nothing.
    faults : Faults, optional
        Slow, late and broken ranks and links; by default none.
    root : int
        The root, where the collective has one.
    **parameters
        Parameters of the machine, such as latency="5us" and bandwidth="50GB/s".

    Returns
    -------
    Ranking
        `best` is the fastest algorithm; `timed` has all, `left_out` those that do not fit.

    Raises
    ------
    BadInput
        For values that cannot be used, and where no algorithm fits.

    Examples
    --------
    >>> rank("all_reduce", ranks=8, size="1GiB", topology="hgx-h100").best.name
    'nvls'
    """
    root = whole("root", root)
    refuse_root(find_collective(collective), root)
    setup = setup_on(topology, clock, costs, parameters)
    setup = _with_faults(setup, faults, whole("ranks", ranks, 1))
    return rank_algorithms(collective, ranks, size_in_bytes(size), setup, root)


def rank_by(
    collective: str,
    by: str,
    values: Sequence[int],
    *,
    size: int | str,
    ranks: int = 8,
    topology: str | Topology = "crossbar",
    clock: str = "lockstep",
    costs: Costs | None = None,
    faults: Faults = NO_FAULTS,
    root: int = 0,
    **parameters: int,
) -> RankingsBy:
    """Every algorithm of a collective, ranked at each value of a parameter or number of ranks.

    Parameters
    ----------
    collective : str
        Its name, such as "dispatch".
    by : str
        A parameter of some of its algorithms, such as "topk"; "n" for the number of ranks.
    values : sequence of int
        2 to 32 values of it.
    size : int or str
        Bytes of the vector, such as "1GiB".
    ranks : int
        How many ranks take part, where `by` is a parameter.
    topology : str or Topology
        The machine: a name that `collectives.topology` knows, or a machine.
    clock : str
        "lockstep" or "dataflow"; see `collectives.time`.
    costs : Costs, optional
        What messages cost beside the links; by default nothing.
    faults : Faults, optional
        Slow, late and broken ranks and links, at each value; by default none.
    root : int
        The root, where the collective has one.
    **parameters
        Other parameters of the algorithms, such as tokens=16.

    Returns
    -------
    RankingsBy
        `fastest` says which algorithm is the fastest where, `rankings` has all times.

    Raises
    ------
    BadInput
        For values that cannot be used, and where no algorithm fits.

    Examples
    --------
    >>> rank_by("dispatch", "topk", [1, 4], ranks=16, size="1MiB", topology="cluster")
    <RankingsBy topk: fastest: direct at topk = 1; two-hop at topk = 4>
    """
    root, ranks = whole("root", root), whole("ranks", ranks, 1)
    refuse_root(find_collective(collective), root)
    counts = [whole(f"values of {by}", value) for value in items_of("values", values, "[1, 2, 4]")]
    numbers = {name: whole(name, value) for name, value in parameters.items()}
    setup, size = setup_on(topology, clock, costs), size_in_bytes(size)
    faults = instance("faults", faults, Faults, FAULTS)
    return rankings_by(collective, by, counts, ranks, size, setup, root, numbers, faults)


def _with_faults(setup: Setup, faults: Faults, ranks: int) -> Setup:
    """The setup with these faults; raises BadInput for anything else."""
    return instance("faults", faults, Faults, FAULTS).of(setup, ranks)


def setup_on(
    topology: str | Topology,
    clock: str,
    costs: Costs | None = None,
    parameters: Mapping[str, object] = NO_PARAMETERS,
) -> Setup:
    """Where something is timed; raises BadInput for an unknown clock or machine."""
    run = CLOCKS[one_of("clock", clock, CLOCKS)]
    factors, others = split_times(parameters)
    moves, parameters = split_places(others)
    charged = Costs() if costs is None else instance("costs", costs, Costs, "Costs(latency=5e-6)")
    if isinstance(topology, Topology):
        for name in parameters:
            raise BadInput(f"{name}: the links of {topology.name} have their own; leave it out")
        own = seated(scaled(topology, factors), moves)
        return Setup(lambda recording: _fitting(own, recording), run, charged)
    key = machine_key(topology)
    taken = MACHINES[key].parameters if key in MACHINES else {}
    fixed = {name: taken[name] for name in COMMON if taken.get(name)} | dict(parameters)
    numbers = {name: whole(name, fixed[name]) for name in COMMON if name in fixed and name in taken}
    shared = {name: number for name, number in numbers.items() if number}
    built: dict[tuple[object, ...], Topology] = {}

    def machine(recording: Recording) -> Topology:
        made_for = recording.ranks, recording.nodes, recording.helpers
        at = *made_for, *sorted(recording.parameters.items())
        if at not in built:
            plain = topology_for(recording, topology, **fixed)
            built[at] = seated(scaled(plain, factors), moves)
        return built[at]

    return Setup(machine, run, charged, shared)


def _fitting(topology: Topology, recording: Recording) -> Topology:
    """The topology; raises BadInput where the recording does not fit."""
    topology.placement(recording.ranks, recording.nodes, recording.title)
    return topology
