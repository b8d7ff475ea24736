"""How SimGrid is told to share links evenly: no window of TCP, no header, no corrections."""

CONFIGURATION = [
    "network/model:CM02",
    "network/optim:Full",
    "network/bandwidth-factor:1",
    "network/latency-factor:1",
    "network/weight-S:0",
    "network/crosstraffic:0",
    "network/TCP-gamma:0",
    "surf/precision:1e-15",
    "maxmin/precision:1e-12",
]
