"""What single lines of an NCCL log say: one regular expression for each kind of line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from re import Match

# host:process:thread [device] NCCL INFO text, after whatever a launcher puts before it
LINE = re.compile(
    r"(?:(?<![\w.<>-])(?P<host>[\w.<>-]{0,253}):(?P<process>\d{1,10}):\d{1,10} )?"
    r"\[(?P<device>\d{1,4})\] (?:\S{1,80} )?(?:NCCL|RCCL) (?P<level>INFO|WARN) (?P<text>.*)"
)
VERSION = re.compile(r"(?P<name>[NR]CCL) version (?P<version>\d[\w.+-]{0,40})")
MEMBER = re.compile(
    r"(?:\[Rank \d{1,7}\] )?(?:\w+ )?comm 0x\w+ rank (?P<rank>\d{1,7}) "
    r"n[rR]anks (?P<ranks>\d{1,7})\b"
    r"(?: nNodes (?P<nodes>\d{1,7}))?"
    r"(?:.*? busId (?P<bus>[\w.:]{1,20}))?"
    r"(?:.*? commId (?P<id>0x\w{1,20}))?(?:.*? Init (?P<state>START|COMPLETE))?"
)
OF_COMM = re.compile(r" comm 0x\w{1,20} n[rR]anks \d.*$")  # what RCCL puts behind
RING = re.compile(
    r"(?:Channel|Ring) (?P<channel>\d{1,3})(?:/(?P<total>\d{1,3}))? :(?P<ranks>(?: +\d{1,7})+)$"
)
NEIGHBORS = re.compile(
    r"Ring (?P<channel>\d{1,3}) : (?P<before>\d{1,7}) -> (?P<rank>\d{1,7}) -> (?P<after>\d{1,7})$"
)
TREE = re.compile(
    r"\[(?P<channel>\d{1,3})\] (?P<first>-?\d{1,7}(?:/-?\d{1,7}){0,4})->(?P<rank>\d{1,7})"
    r"->(?P<last>-?\d{1,7}(?:/-?\d{1,7}){0,4})(?![\d/])"
)
LINK = re.compile(
    r"(?:Channel|Ring) (?P<channel>\d{1,3})(?:/(?P<connection>\d{1,3}))? : "
    r"(?P<src>\d{1,7})(?:\[\w+\])? -> (?P<dst>\d{1,7})(?:\[\w+\])? "
    r"(?:\[(?P<end>send|receive)\] )?via (?P<via>.+)$"
)
NUMBERS = r"(?P<bytes>\d{1,18}) Bytes -> Algo (?P<algorithm>\w{1,30}) proto (?P<protocol>\w{1,20})"
CHOICE = re.compile(
    rf"(?:(?P<name>[A-Z]\w{{1,30}}): )?{NUMBERS}"
    r"(?: time (?P<time>[\d.]{1,20}))?"
    r"(?: channel\{Lo\.\.Hi\}=\{(?P<low>\d{1,3})\.\.(?P<high>\d{1,3})\})?"
)
KERNEL = re.compile(  # what runs beside the tuner's algorithms, with its way in place of a protocol
    r"(?P<name>[A-Z]\w{1,30}) \[(?P<protocol>Symmetric|Copy Engine|Hierarchical CE)\]: "
    r"(?P<bytes>\d{1,18}) Bytes -> (?:Kernel )?(?P<algorithm>\w[\w +]{0,59}?)"
    r"(?: nchannels (?P<channels>\d{1,3}) .*)?$"
)
SETTING = re.compile(
    r"(?P<name>[NR]CCL_\w{1,60}) set (?:by environment )?to (?P<value>\S{1,200}?)\.?$"
)
DEVICES = re.compile(r"NET/(?P<network>[\w ]{1,30}?) : Using (?P<devices>.*)$")
DEVICE = re.compile(r"\[(\d{1,3})\](?:=\{(?P<merged>[^}]{1,400})\}|\s?(?P<name>[\w.-]{1,40}))")
CHANNELS = re.compile(r"(?P<channels>\d{1,3}) coll channels")
PATH = re.compile(
    r"Pattern (?P<pattern>\d), .*type (?P<inside>[A-Z0-9]{2,4})/(?P<outside>[A-Z0-9]{2,4})\b"
)
NETWORK = re.compile(r"Using (?:internal )?[Nn]etwork (?P<network>\w[\w ]{0,40})")
NO_VERBS = re.compile(r"(?:Failed to|Could not) open libibverbs")
NO_PLUGIN = re.compile(
    r"NET/Plugin ?: (?:Could not find:?|No plugin found) "
    r"\(?(?P<file>lib[\w.-]{1,60}?)[.)]*(?:[ ,].*)?$"
)
NO_PROVIDER = re.compile(r"NET/OFI .*(?:provider|Libfabric|EFA)", re.IGNORECASE)
LOOPBACK = re.compile(r"Bootstrap : Using (?:\[\d\])?(?P<card>[\w.-]{1,40}):127\.")
DUPLICATE = re.compile(r"Duplicate GPU detected : rank (?P<one>\d+) and rank (?P<other>\d+) ")
UNREACHED = re.compile(
    r"[Cc]onnect.{0,200}(?:[Cc]onnection refused|timed out|No route to host|unreachable)"
)
NO_DIRECT = re.compile(r"GPU Direct RDMA Disabled|P2P is disabled between|Could not enable P2P")
MAX_LINE = 8192  # characters that are looked at

ALGORITHMS = ("Tree", "Ring", "CollNetDirect", "CollNetChain", "NVLS", "NVLSTree", "PAT")
PROTOCOLS = ("LL", "LL128", "Simple")
BY_NAME = {name.lower(): name for name in (*ALGORITHMS, *PROTOCOLS)}
BY_NAME |= {"collnet_direct": "CollNetDirect", "collnet_chain": "CollNetChain"}
BY_NAME |= {"nvls_tree": "NVLSTree"}


@dataclass(frozen=True)
class Transport:
    """How data goes over a connection: P2P, SHM or NET, of which network, card, and way."""

    kind: str
    network: str = ""
    card: str = ""
    direct: bool = True  # the network card reads and writes the memory of the GPU

    @property
    def name(self) -> str:
        """The name in reports: NET/IB with GPU Direct RDMA."""
        if self.kind != "NET":
            return "SHM (host memory)" if self.kind == "SHM" else self.kind
        through = "GPU Direct RDMA" if self.direct else "host memory"
        return f"NET/{self.network}" if self.socket else f"NET/{self.network} through {through}"

    @property
    def socket(self) -> bool:
        """Whether it is TCP."""
        return self.network == "Socket"


@dataclass(frozen=True)
class Choice:
    """A collective of a size, and what NCCL ran for it."""

    name: str
    size: int
    algorithm: str
    protocol: str


def transport_of(via: str) -> Transport:
    """What the end of a connection's line says.

    >>> transport_of("NET/IB/0/GDRDMA").name, transport_of("P2P/CUMEM/read").name
    ('NET/IB through GPU Direct RDMA', 'P2P')
    >>> transport_of("direct shared memory").name, transport_of("NET/Socket/0").name
    ('SHM (host memory)', 'NET/Socket')
    >>> transport_of("NET/IB/0(3)/GDRDMA(PCI)/Shared").name
    'NET/IB through GPU Direct RDMA'
    """
    parts = via.strip()[:80].split("/")
    if parts[0] == "NET" and len(parts) > 1:
        card = parts[2].partition("(")[0] if len(parts) > 2 else ""
        direct = any(part.startswith("GDRDMA") for part in parts)  # also GDRDMA(PCI)
        return Transport("NET", parts[1], card, direct)
    if parts[0] == "direct shared memory":
        return Transport("SHM")
    if parts[:2] == ["P2P", "indirect"]:
        return Transport("P2P through another GPU")
    return Transport(parts[0].split(" ")[0][:20])


def cards_of(devices: str) -> dict[int, str]:
    """The network cards on a line, by number; several that are used as one have a + between.

    >>> cards_of("[0]mlx5_0:1/IB [1]={[0] mlx5_1:1/IB, [1] mlx5_2:1/IB} [RO]; OOB eth0")
    {0: 'mlx5_0', 1: 'mlx5_1+mlx5_2'}
    """
    cards = {}
    for card in DEVICE.finditer(devices):
        merged = DEVICE.findall(card["merged"] or "")
        cards[int(card[1])] = card["name"] or "+".join(name for *_, name in merged)
    return cards


def choice_of(match: Match[str]) -> Choice:
    """What a line of the tuner says; older ones have numbers for names.

    >>> choice_of(CHOICE.match("AllReduce: 1024 Bytes -> Algo 1 proto 2 time 9.5"))
    Choice(name='AllReduce', size=1024, algorithm='Ring', protocol='Simple')
    """
    algorithm = _named(match["algorithm"], ALGORITHMS)
    protocol = _named(match["protocol"], PROTOCOLS)
    return Choice(match["name"] or "", int(match["bytes"]), algorithm, protocol)


def channels_of(match: Match[str]) -> int:
    """How many channels a line of the tuner names; 0 for none.

    >>> channels_of(CHOICE.match("8 Bytes -> Algo 1 proto 2 channel{Lo..Hi}={0..3}"))
    4
    """
    ends = match.groupdict()
    if ends.get("high"):
        return int(ends["high"]) - int(ends["low"]) + 1
    return int(ends.get("channels") or 0)


def _named(word: str, names: tuple[str, ...]) -> str:
    if word.isdecimal() and int(word) < len(names):
        return names[int(word)]
    return BY_NAME.get(word.lower(), word)


def tree_places(text: str) -> list[tuple[int, int, int, tuple[int, ...]]]:
    """Channel, rank, parent (-1 at the root) and children of each tree on a line of trees.

    The children are on the side that has slashes: NCCL has changed sides.

    >>> tree_places("[0] 1/-1/-1->0->-1 [1] 3->2->0/1/-1")
    [(0, 0, -1, (1,)), (1, 2, 3, (0, 1))]
    """
    trees = []
    for match in TREE.finditer(text):
        below, above = match["first"], match["last"]
        if "/" in above:
            below, above = above, below
        children = tuple(int(child) for child in below.split("/") if int(child) >= 0)
        if "/" not in above:
            parent = max(-1, int(above))
            trees.append((int(match["channel"]), int(match["rank"]), parent, children))
    return trees
