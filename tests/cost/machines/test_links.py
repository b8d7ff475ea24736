"""The table of links: one direction each, as the sources give them."""

import pytest

from collectives import BadInput
from collectives.cost.machines.links import LINKS, find_link, list_links

ONE_WAY = {  # GB/s
    "pcie3": 15.75,
    "pcie4": 31.5,
    "pcie5": 63,
    "pcie6": 121,
    "nvlink1": 4 * 20,
    "nvlink2": 6 * 25,
    "nvlink3": 12 * 25,
    "nvlink4": 18 * 25,
    "nvlink5": 18 * 50,
    "nvlink6": 36 * 50,
    "c2c": 450,
    "ib-edr": 100 / 8,
    "ib-hdr": 200 / 8,
    "ib-ndr": 400 / 8,
    "ib-xdr": 800 / 8,
    "roce-400": 50,
    "ethernet-10": 1.25,
    "ethernet-25": 3.125,
    "ethernet-800": 100,
    "efa-p4d": 4 * 100 / 8 / 8,
    "efa-p5": 32 * 100 / 8 / 8,
    "efa-p6-b300": 16 * 400 / 8 / 8,
    "xgmi": 64,
}


def test_bandwidths_are_those_of_one_direction():
    assert {name: find_link(name).bandwidth / 1e9 for name in ONE_WAY} == ONE_WAY


def test_every_link_has_figures_and_a_source():
    for name, link in LINKS.items():
        assert link.name == name and link.bandwidth > 1e9 and 1e-7 < link.latency < 1e-4
        assert len(link.source) > 10
        assert str(link).startswith(name)


def test_links_are_listed_as_rows():
    rows = {row["name"]: row for row in list_links()}
    assert list(rows) == list(LINKS)
    ndr = rows["ib-ndr"]
    assert (ndr["bandwidth"], ndr["latency"]) == (50e9, 2e-6)
    assert ndr["other_names"] == ("ndr", "infiniband-ndr") and "ConnectX-7" in ndr["source"]


def test_links_are_found_by_all_their_names():
    for link in LINKS.values():
        for name in (link.name, *link.other_names, link.name.upper(), link.name.replace("-", "_")):
            assert find_link(name) is link
    with pytest.raises(BadInput, match="unknown link 'nvlnk4'; did you mean nvlink4"):
        find_link("nvlnk4")


def test_a_few_links_are_listed_where_none_is_near():
    with pytest.raises(BadInput, match="unknown link 'foo'; choose from pcie3, ") as told:
        find_link("foo")
    listed, _, more = str(told.value).partition("choose from ")[2].partition(" and ")
    names = listed.split(", ")
    assert all(find_link(name).name == name for name in names)
    assert more == f"{len(LINKS) - len(names)} more: see collectives list links"
    assert len(names) <= 12
