"""Writes Chakra traces: an encoder of protobuf, and traces of our own algorithms."""

from collectives import record

TYPES = {"metadata": 1, "comp": 4, "send": 5, "recv": 6, "coll": 7}
FIELD = {"comm_src": 7, "comm_dst": 7, "comm_tag": 7, "comm_size": 9, "comm_type": 9}
FIELD |= {"is_cpu_op": 27, "comm_group": 29, "pg_name": 29, "tensor_size": 13}


def varint(value):
    """A number in groups of seven bits."""
    value &= (1 << 64) - 1
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def item(number, value):
    """A field of a message: a number, or bytes and text after their length."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    content = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(content)) + content


def node(number, kind, after=(), name="", packed=True, **attributes):
    """A node with the attributes of its kind."""
    content = item(1, number) + item(2, name or f"{kind}_{number}") + item(3, TYPES[kind])
    if packed and after:
        content += item(5, b"".join(map(varint, after)))
    else:
        content += b"".join(item(4, other) for other in after)
    for key, value in attributes.items():
        content += item(10, item(1, key) + item(FIELD[key], value))
    return content


def trace(*nodes):
    """A whole file: a message about it, and the nodes, each after its length."""
    return b"".join(varint(len(one)) + one for one in (item(1, "0.0.4"), *nodes))


def put(folder, files, stem="trace"):
    """Write the traces of all ranks; the name of the first."""
    for rank, content in enumerate(files):
        (folder / f"{stem}.{rank}.et").write_bytes(content)
    return folder / f"{stem}.0.et"


def messages(recording):
    """The messages of each step: bytes by source and destination."""
    for number, step in enumerate(recording.steps):
        rows, sizes, found = step.unrolled(), recording.sizes(number), {}
        for src, dst, chunk in zip(rows.src, rows.dst, rows.chunk, strict=True):
            if src != dst:
                size = int(sizes[src, chunk]) * recording.dtype.itemsize
                found[int(src), int(dst)] = found.get((int(src), int(dst)), 0) + size
        yield found


def of_recording(recording):
    """The traces of what each rank sends and receives, step after step; sums are computed."""
    nodes = [[] for _ in range(recording.ranks)]
    last = [[] for _ in range(recording.ranks)]
    for found in messages(recording):
        now = [[] for _ in range(recording.ranks)]

        def add(rank, kind, after, now=now, **attributes):
            nodes[rank].append(node(len(nodes[rank]), kind, after, **attributes))
            now[rank].append(len(nodes[rank]) - 1)

        for (src, dst), size in found.items():
            add(src, "send", last[src], comm_size=size, comm_dst=dst)
            add(dst, "recv", last[dst], comm_size=size, comm_src=src)
            add(dst, "comp", now[dst][-1:])
        last = [new or old for new, old in zip(now, last, strict=True)]
    return [trace(*each) for each in nodes]


def ring(ranks=8, size=1 << 20):
    """The traces of our ring all-reduce."""
    return of_recording(record("all_reduce", "ring", ranks=ranks, count=size, dtype="uint8"))


def collective(ranks=4, kind=0, size=1 << 20, times=1, **more):
    """Traces of nothing but a collective."""
    one = [node(k, "coll", comm_type=kind, comm_size=size, **more) for k in range(times)]
    return [trace(*one)] * ranks
