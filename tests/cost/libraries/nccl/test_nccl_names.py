"""What NCCL has a name for: every name of its libraries is explained, and what is said holds."""

import dataclasses
import json
import re
import runpy
import struct
from pathlib import Path

import pytest
from each import each

from collectives.catalog import find_row
from collectives.cli.figure import kinds as figure_kinds
from collectives.cost.data_ways import PICTURES
from collectives.cost.libraries.nccl import graphs, tables
from collectives.cost.libraries.nccl.nccl_names import DRAWN, NcclNames, nccl_names
from collectives.errors import BadInput
from collectives.formats.nccl_log.log import parse_log

ROOT = Path(__file__).parents[4]
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "nccl_names.py"))
LISTS = {
    path.stem: json.loads(path.read_text())
    for path in sorted((ROOT / "tests" / "data" / "nccl_names").glob("*.json"))
}
MODELED, NEWEST = "2.30.7", max(LISTS, key=lambda version: [*map(int, version.split("."))])
KINDS = {
    "algorithms": "algorithm",
    "protocols": "protocol",
    "symmetric kernels": "kernel",
    "transports": "transport",
    "variables": "variable",
}
NAMES = nccl_names().names
UNSET, AUTOMATIC, NO_LIMIT = -(1 << 31), -2, (1 << 63) - 1
INFO = "h:1:1 [0] NCCL INFO"
START = f"{INFO} comm 0x1 rank 0 nranks 16 cudaDev 0 busId 1 commId 0x1 - Init COMPLETE\n"
PAPER = """
    communicator, group call, point-to-point, launching strategy, channel, CTA, SM, warp, ring,
    tree, double binary tree, Simple, LL, LL128, buffer, slot, chunk, loop iteration, primitive,
    send, recv, copySend, recvCopySend, recvReduceSend, recvReduceCopy, recvReduceCopySend, P2P,
    P2P_DIRECT, GPUDirect P2P, P2P/IPC, FIFO, SHM, NVLS, NVLink SHARP, multi-node NVLink,
    NET/Socket, NET/IB, IB Verbs, RoCE, GPUDirect RDMA, GDRCopy, proxy thread, rendezvous, CTS,
    QP, RDMA_WRITE, RDMA_WRITE_WITH_IMM, loopback RDMA_READ, flush, CollNet, CollNetDirect,
    CollNetChain, NVLSTree, PAT, PXN, cost model, tuner plugin, pipelined pattern, non-pipelined
    pattern, NCCL_ALGO, NCCL_PROTO, NCCL_BUFFSIZE, NCCL_NTHREADS, NCCL_MIN_NCHANNELS,
    NCCL_MAX_NCHANNELS, NCCL_IB_QPS_PER_CONNECTION, NCCL_IB_SPLIT_DATA_ON_QPS,
    NCCL_P2P_DIRECT_DISABLE, NCCL_NET_GDR_LEVEL, NCCL_SHM_DISABLE, flag, memory fence, GDR,
    elementary step, intermediate buffer
"""


def unexplained(listed):
    """Names of a list that have no entry of their kind."""
    found = []
    for kind, names in listed.items():
        if kind not in KINDS:
            continue
        known = {spelled(word) for one in entries(KINDS[kind]) for word in (one.name, *one.also)}
        known |= {word.partition("/")[0] for word in known}  # NET/IB explains NET
        found += [name for name in names if spelled(name) not in known]
    return found


def spelled(name):
    return name.replace("_", "").lower()


def entries(kind):
    return [one for one in NAMES if one.kind == kind]


@each("version", LISTS)
def test_every_name_of_a_library_is_explained(version):
    assert unexplained(LISTS[version]) == []


def test_a_name_without_an_entry_is_seen():
    new = {"algorithms": ["RING", "SPIRAL"], "variables": {"NCCL_ALGO": None, "NCCL_SPIN": 1}}
    assert unexplained(new) == ["SPIRAL", "NCCL_SPIN"]


def test_the_version_of_the_model_is_listed():
    from collectives.cost.libraries.default_algorithm import LIBRARIES

    assert f"NCCL {MODELED}," in LIBRARIES["nccl"].source and MODELED in LISTS
    assert all(found["version"] == version for version, found in LISTS.items())


def test_variables_are_those_of_the_libraries_and_no_others():
    old, new = (LISTS[version]["variables"] for version in (MODELED, NEWEST))
    assert {one.name for one in entries("variable")} == old.keys() | new.keys()
    for one in entries("variable"):
        assert bool(one.since) == (one.name not in old), one.name
        assert bool(one.until) == (one.name not in new), one.name


@each("one", entries("variable"), lambda one: one.name)
def test_a_default_is_the_one_in_the_library(one):
    said = {UNSET: "unset", AUTOMATIC: "automatic", NO_LIMIT: "no limit", -1: "unset"}
    for version in (MODELED, NEWEST):
        default, value = default_of(one, version), LISTS[version]["variables"].get(one.name)
        assert default
        assert value is None or default in (str(value), said.get(value)), (version, value)


def default_of(one, version):
    """The default that is said of a version: "0; 1 from 2.32 on" says two."""
    first, _, later = one.default.partition("; ")
    assert not later or later.endswith(" from 2.32 on")
    return later.removesuffix(" from 2.32 on") if later and version == NEWEST else first


def test_a_default_that_changed_is_said_of_both_releases():
    (one,) = nccl_names("NCCL_SYM_TMA_ENABLE").names
    assert [default_of(one, version) for version in (MODELED, NEWEST)] == ["0", "1"]
    (one,) = nccl_names("NCCL_DEBUG_TIMESTAMP_LEVELS").names
    assert default_of(one, NEWEST) == "WARN,ATTN"


def test_a_default_of_minus_one_is_a_number_where_the_text_explains_it():
    assert nccl_names("NCCL_GIN_TYPE").names[0].default == "-1"
    assert nccl_names("NCCL_IB_SL").names[0].default == "unset"


@each("one", [one for one in NAMES if one.schedule], lambda one: one.name)
def test_a_schedule_is_a_row_of_the_catalog(one):
    for words in one.schedule:
        assert find_row(*words.split()).title.startswith(words.split()[1])


@each("name", tables.ALGORITHMS)
def test_algorithms_have_the_rows_of_the_tuner(name):
    (one,) = [one for one in entries("algorithm") if one.name == name]
    ours = tables.ALGORITHMS[name]
    for kind in ours.kinds:
        words = f"{kind.replace('_', '-')} {ours.row}"
        assert words in one.schedule or (ours.row, kind) != ("sharp", "all_reduce"), words
    assert one.schedule


def test_protocols_and_paths_are_those_of_the_tuner():
    assert {one.name for one in entries("protocol")} == set(tables.PROTOCOLS)
    assert tuple(one.name for one in entries("path")) == tables.PATHS


@each("one", [one for one in NAMES if one.log not in ("", "none")], lambda one: one.name)
def test_our_log_reader_reads_the_lines_that_it_says_it_reads(one):
    line = f"{INFO} {one.log.replace('VALUE', '1')}\n"
    read = parse_log(f"{START}{line}".encode()) != parse_log(START.encode())
    assert read != one.unread, one.log


def test_a_log_names_the_symmetric_kernel_and_the_copy_engine_that_ran():
    lines = [one.log for one in entries("kernel") if one.log]
    text = START + "".join(f"{INFO} {line}\n" for line in lines)
    ran = {
        (choice.algorithm, choice.protocol) for choice in parse_log(text.encode()).largest.choices
    }
    symmetric = {(name, "Symmetric") for name in LISTS[MODELED]["symmetric kernels"]}
    copied = {("cudaMemcpy", "Copy Engine"), ("RMA proxy + CE", "Hierarchical CE")}
    assert ran == symmetric | copied


@each("one", [one for one in NAMES if one.force], lambda one: one.name)
def test_what_forces_it_is_a_variable(one):
    known = {each.name: each.default for each in NAMES}
    for setting in one.force.split():
        name, _, value = setting.partition("=")
        assert name in known, setting
        assert value not in ("", known[name]), f"{setting} forces nothing"


@each("name", ["RMA", "GIN", "AllGatherV", "PXN", "NET/Shared", "CFT", "LSA", "multicast"])
def test_what_is_there_by_default_says_what_switches_it_off(name):
    found = nccl_names(name).names
    assert not any(one.force for one in found)
    assert any("NCCL_" in one.when for one in found)


@each("one", [one for one in entries("kernel") if "Tma" in one.name], lambda one: one.name)
def test_kernels_of_tma_need_blackwell_and_aligned_buffers(one):
    assert "from Blackwell on" in one.when and "aligned to 16 bytes" in one.when
    assert ("sums of floats" in one.when) == ("AllGather" not in one.name)


@each("one", [one for one in NAMES if one.effect], lambda one: one.name)
def test_an_effect_on_the_modeled_time_names_what_takes_it(one):
    for owner, name in re.findall(r"\b(Machine|Graph)\.(\w+)", one.effect):
        assert name in {field.name for field in dataclasses.fields(getattr(graphs, owner))}
    assert re.search(r"Machine|Graph|overlap", one.effect)


@each("one", [one for one in NAMES if one.kind in DRAWN[:3]], lambda one: one.name)
def test_algorithms_protocols_and_transports_have_a_picture_or_say_that_there_is_none(one):
    assert one.schedule or one.picture or (one.facts["picture"] == "none" and one.path)
    assert len(one.path) <= 100
    assert one.picture == "" or one.facts["schedule"] == "not a schedule"
    assert one.kind == "transport" or one.command


def test_what_has_no_picture_is_listed():
    without = {one.name for one in NAMES if one.kind in DRAWN[:3] and not one.command}
    assert without == {
        "P2P/indirect",
        "NET/Shared",
        "GIN proxy",
        "GIN GDAKI",
        "GIN GPI",
        "CFT",
    }


@each("one", [one for one in NAMES if one.command], lambda one: f"{one.kind} {one.name}")
def test_a_command_that_draws_a_name_exists(one):
    program, verb, *words = one.command.split()
    assert program == "collectives"
    if verb == "page":
        assert find_row(*words).label
        return
    kind, *names = words
    assert verb == "figure" and kind in figure_kinds.commands
    assert names == [] if kind == "delivery" else names[0] in PICTURES and len(names) == 1


@each("term", [" ".join(term.split()) for term in PAPER.split(",")])
def test_a_reader_of_demystifying_nccl_finds_each_term(term):
    words = {"buffer": "NCCL_BUFFSIZE", "tuner plugin": "NCCL_TUNER_PLUGIN"}
    assert nccl_names(words.get(term, term)).in_full


@each("one", NAMES, lambda one: f"{one.kind} {one.name}")
def test_each_name_is_found_in_any_spelling(one):
    for word in (one.name, one.name.lower(), one.name.upper().replace("_", "-"), *one.also):
        assert one in nccl_names(word).names


def test_a_text_stands_by_itself():
    for one in NAMES:
        assert not re.match(r"(The same|the same|this|these|it|they)\b(?! part)", one.what), one
        assert one.what.endswith(".") == (one.kind != "variable"), one.name


def test_names_of_one_kind_are_told_apart():
    for kind in {one.kind for one in NAMES}:
        keys = [re.sub(r"[\s_/-]", "", one.name.lower()) for one in entries(kind)]
        assert len(keys) == len(set(keys))


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("NCCL_BUFSIZE", "did you mean NCCL_BUFFSIZE?"),
        ("nvlstre", "did you mean NVLSTree?"),
        ("pathes", "did you mean paths?"),
        ("kernals", "did you mean kernels?"),
        ("rccll", "did you mean RCCL?"),
        ("xyzzzzq", "all names: collectives list nccl"),
        (5, "must be"),
    ],
)
def test_an_unknown_name_is_answered_by_the_nearest(name, hint):
    with pytest.raises(BadInput, match=re.escape(hint)):
        nccl_names(name)


def test_a_kind_is_a_table_and_a_name_all_that_is_known():
    assert not nccl_names("Transports").in_full and not nccl_names("").in_full
    assert {one.kind for one in nccl_names("protocol").names} == {"protocol"}
    text = "\n".join(map(str, NcclNames(nccl_names("NCCL_MLOPART_RDMA_ENABLE").names).lines()))
    for part in ("default       0", "no longer in 2.32.3", "not in the user guide"):
        assert part in text
    assert "none modeled" in "\n".join(map(str, nccl_names("NCCL_BUFFSIZE").lines()))
    assert nccl_names("LL").as_json()[0]["force"] == "NCCL_PROTO=LL"


def test_the_page_of_names_has_each_of_them():
    page = (ROOT / "docs" / "nccl.md").read_text()
    for one in NAMES:
        assert f"- **{one.name}**: {one.what}\n" in page or f"| `{one.name}`" in page, one.name
        assert one.kind != "variable" or f"| `{one.default}` | {one.what} |" in page, one.name


# --- the script that lists the names of a version


def test_names_are_listed_from_a_checkout(tmp_path):
    (tmp_path / "a.h").write_text(
        "#define NCCL_ALGO_UNDEF -1\n#define NCCL_ALGO_TREE 0\n#define NCCL_PROTO_LL 0\n"
        "enum { ncclSymkKernelId_AllGather_LL,\n ncclSymkKernelId_Count };\n"
    )
    (tmp_path / "b.cc").write_text(
        'NCCL_PARAM(Nthreads, "NTHREADS", -2);\nNCCL_PARAM(Wide, "WIDE", 1 << 20);\n'
        'getenv("NCCL_ALGO"); INFO("%d -> %d via P2P/IPC");\n'
    )
    assert SCRIPT["of_checkout"](tmp_path) == {
        "algorithms": ["TREE"],
        "protocols": ["LL"],
        "symmetric kernels": ["AllGather_LL"],
        "transports": ["P2P"],
        "variables": {"NCCL_ALGO": None, "NCCL_NTHREADS": -2, "NCCL_WIDE": None},
    }


def test_a_section_of_a_library_is_found():
    names, data = b"\0.text\0.rodata\0", b"NCCL_ALGO\0"
    heads = b"".join(
        struct.pack("<II4Q24x", at, 1, 0, address, offset, size)
        for at, address, offset, size in ((7, 0x500, 64, len(data)), (0, 0, 74, len(names)))
    )
    head = b"\x7fELF\x02" + bytes(35) + struct.pack("<Q", 74 + len(names)) + bytes(10)
    content = head + struct.pack("<3H", 64, 2, 1) + data + names + heads
    found = SCRIPT["section"](content, b".rodata")
    assert (found.address, found.content) == (0x500, data)
    with pytest.raises(ValueError, match="no section"):
        SCRIPT["section"](content, b".data")
    with pytest.raises(ValueError, match="not a 64-bit"):
        SCRIPT["section"](b"MZ", b".data")


def test_defaults_are_the_second_argument_of_a_look_up():
    data = SCRIPT["Section"](0x500, b"NCCL_ALGO\0NCCL_B\0")
    listing = (
        "1: mov    $0xfffffffffffffffe,%rsi\n2: lea    0x9(%rip),%rdi        # 50a <x>\n"
        "3: jmp    128e20 <_Z13ncclLoadParamPKcllPlPa>\n"
        "4: xor    %esi,%esi\n5: lea    0x9(%rip),%rdi        # 500 <x>\n"
        "6: call   128e20 <_Z10ncclGetEnvPKc>\n"
    )
    assert SCRIPT["defaults"](listing, data) == {"NCCL_B": -2}
