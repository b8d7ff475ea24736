"""Machines as SimGrid wants them: stars, rings, lines, its own fat trees, NICs that are shared."""

WAYS = ("ring", "line")  # in which ranks have a port for each direction


class Platform:
    """A zone of SimGrid's with hosts, and the routes between them."""

    def __init__(self, kind, ranks, more, bandwidth, latency):
        from simgrid import NetZone

        self.kind, self.ranks, self.more = kind, ranks, more
        self.figures = bandwidth, latency
        if kind == "fat-tree":
            self.hosts = self._fat_tree(NetZone)
            return
        self.zone = NetZone.create_full_zone("all")
        self.hosts = [self.zone.create_host(f"h{rank}", 1e9) for rank in range(ranks)]
        self._links = {}
        for src in range(ranks):
            for dst in range(ranks):
                if src != dst:
                    self._route(src, dst)
        self.zone.seal()

    def _fat_tree(self, net_zone):
        """SimGrid's own, with its own routes: 4 ranks at each leaf, some spines above."""
        from simgrid import ClusterCallbacks, FatTreeParams, Link

        hosts = {}

        def make(zone, coordinates, number):
            host = zone.create_host(f"h{number}", 1e9).seal()
            hosts[number] = host
            return host.netpoint, None

        def within(zone, coordinates, number):
            return zone.create_link(f"within {number}", self.figures[0]).seal()

        def inside(zone, coordinates, number):
            """What all that goes through a node shares; never in the way."""
            return zone.create_link(f"inside {number}", 1e6 * self.figures[0]).seal()

        shape = FatTreeParams(2, [4, self.ranks // 4], [1, self.more], [1, 1])
        zone = net_zone.create_fatTree_zone(
            "all",
            None,
            shape,
            ClusterCallbacks(make, within, inside),
            *self.figures,
            Link.SharingPolicy.SPLITDUPLEX,
        )
        zone.seal()
        return [hosts[rank] for rank in range(self.ranks)]

    def way(self, src, dst):
        """The direction in which a message goes, where ranks have a port for each."""
        return getattr(self, f"_{self.kind}")(src, dst)[0][0] if self.kind in WAYS else ""

    def _route(self, src, dst):
        from simgrid import LinkInRoute

        ways = getattr(self, "_" + self.kind.replace("-", "_"))(src, dst)
        path = [LinkInRoute(self._link(*names)) for names in ways]
        ends = self.hosts[src].netpoint, self.hosts[dst].netpoint
        self.zone.add_route(*ends, None, None, path, False)

    def _star(self, src, dst):
        return [("up", src), ("down", dst)]

    def _shared_nic(self, src, dst):
        """Ranks on one NIC reach one another without it."""
        one, other = src // self.more, dst // self.more
        nics = [("out", one), ("in", other)] if one != other else []
        return [("up", src), *nics, ("down", dst)]

    def _ring(self, src, dst):
        """The shorter way round; upwards where both are as long."""
        ahead = (dst - src) % self.ranks
        there = 1 if ahead <= self.ranks // 2 else -1
        hops = min(ahead, self.ranks - ahead)
        return [
            ("next" if there == 1 else "back", (src + there * k) % self.ranks) for k in range(hops)
        ]

    def _line(self, src, dst):
        there = 1 if dst > src else -1
        return [("next" if there == 1 else "back", at) for at in range(src, dst, there)]

    def _link(self, way, at):
        """The link of this direction; the same one for both where links are half duplex."""
        if self.more == "half":
            at = (at - 1) % self.ranks if way == "back" else at
            way = "both"
        key = f"{way} {at}"
        if key not in self._links:
            bandwidth, latency = self.figures
            self._links[key] = self.zone.create_link(key, bandwidth).set_latency(latency).seal()
        return self._links[key]
