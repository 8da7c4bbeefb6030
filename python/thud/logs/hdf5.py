"""Numeric arrays of an HDF5 file as MATLAB (-v7.3) and matio write it, without an HDF5 library.

The library that thud links is not asked: such files have no checksums, and it does not survive every damaged one. Here a
damaged file is an exception of Python. Read are groups as symbol tables or compact links, integers and floats, stored compact,
contiguous or in chunks with deflate, shuffle and fletcher32 (not checked); the rest is refused by name.
The structures are those of the HDF5 File Format Specification, version 3.0.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass, field
from typing import Any, Iterator

import numpy as np
from numpy.typing import NDArray

UNDEFINED = 0xFFFFFFFFFFFFFFFF
MOST_BYTES = 1 << 30  # of one array in memory
MOST_COMPRESSION = 1100  # deflate's is 1032: a file that claims to hold more is damaged, or made to take memory
MOST_OBJECTS = 100_000
SIGNATURE = b"\x89HDF\r\n\x1a\n"


class Unreadable(Exception):
    """What is wrong with the file, or not known here."""


@dataclass
class Node:
    """The messages of an object header that matter here."""

    shape: tuple[int, ...] | None = None
    type: bytes = b""
    layout: bytes = b""
    filters: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)
    links: dict[str, int] = field(default_factory=dict)
    group: bool = False
    attributes: dict[str, str] = field(default_factory=dict)


class File:
    """A file in memory. `base` is where its addresses count from: MATLAB puts 512 bytes of its own in front."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.objects = 0
        self.content = MOST_COMPRESSION * len(data)  # what its arrays can still hold [byte]
        self.base = 0
        while self.data[self.base : self.base + 8] != SIGNATURE:
            self.base = max(512, 2 * self.base)
            if self.base >= len(data):
                raise Unreadable("has no HDF5 signature")
        version = data[self.base + 8]
        if version in (0, 1):
            if data[self.base + 13 : self.base + 15] != b"\x08\x08":
                raise Unreadable("has addresses that are not of 8 bytes")
            at = self.base + (24 if version == 0 else 28)
            start, _, end, _, _, self.root = struct.unpack_from("<6Q", data, at)
        elif version in (2, 3):
            if data[self.base + 9 : self.base + 11] != b"\x08\x08":
                raise Unreadable("has addresses that are not of 8 bytes")
            start, _, end, self.root = struct.unpack_from("<4Q", data, self.base + 12)
        else:
            raise Unreadable(f"has a superblock of version {version}")
        if start != UNDEFINED:
            self.base = start
        if end > len(data):
            raise Unreadable("is truncated")

    def part(self, address: int, size: int) -> bytes:
        at = self.base + address
        if address == UNDEFINED or at + size > len(self.data):
            raise Unreadable("points beyond its end")
        return self.data[at : at + size]

    def unpack(self, form: str, address: int) -> tuple[Any, ...]:
        return struct.unpack(form, self.part(address, struct.calcsize(form)))

    # objects

    def node(self, address: int) -> Node:
        self.objects += 1
        if self.objects > MOST_OBJECTS:
            raise Unreadable(f"has more than {MOST_OBJECTS} objects")
        node = Node()
        for kind, body in self.messages(address):
            self.take(node, kind, body)
        return node

    def messages(self, address: int) -> Iterator[tuple[int, bytes]]:
        new = self.part(address, 4) == b"OHDR"
        extra = 0
        if new:
            flags = self.part(address + 5, 1)[0]
            at = address + 6 + (16 if flags & 0x20 else 0) + (4 if flags & 0x10 else 0)
            width = 1 << (flags & 3)
            size = int.from_bytes(self.part(at, width), "little")
            blocks = [(at + width, size)]
            extra = 2 if flags & 4 else 0
        else:
            version, _, _, _, size = self.unpack("<BBHII", address)
            if version != 1:
                raise Unreadable(f"has an object header of version {version}")
            blocks = [(address + 16, size)]
        seen = set()
        while blocks:
            at, size = blocks.pop(0)
            if at in seen:
                raise Unreadable("has an object header that runs in a circle")
            seen.add(at)
            end, head = at + size, (4 + extra if new else 8)
            while at + head <= end:
                if new:
                    kind, length = self.unpack("<BH", at)
                else:
                    kind, length = self.unpack("<HH", at)
                body = self.part(at + head, length)
                at += head + length
                if kind == 0x10:
                    there, length = struct.unpack_from("<QQ", body)
                    blocks.append((there + 4, length - 8) if new else (there, length))
                else:
                    yield kind, body

    def take(self, node: Node, kind: int, body: bytes) -> None:
        if kind == 0x01:
            rank = body[1]
            at = 8 if body[0] == 1 else 4
            node.shape = struct.unpack_from(f"<{rank}Q", body, at)
        elif kind == 0x03:
            node.type = body
        elif kind == 0x08:
            node.layout = body
        elif kind == 0x0B:
            node.filters = filters(body)
        elif kind == 0x11:
            node.group = True
            tree, heap = struct.unpack_from("<QQ", body)
            node.links.update(self.symbols(tree, heap))
        elif kind == 0x02:
            node.group = True
            at = 2 + (8 if body[1] & 1 else 0)
            if struct.unpack_from("<Q", body, at)[0] != UNDEFINED:
                raise Unreadable("has a group with its links in a heap: a newer form of HDF5 than MATLAB writes")
        elif kind == 0x06:
            node.group = True
            link(node, body)
        elif kind == 0x0C:
            attribute(node, body)

    def symbols(self, tree: int, heap: int) -> dict[str, int]:
        """Names and addresses in a group."""
        if self.part(heap, 4) != b"HEAP":
            raise Unreadable("has a group without a heap of names")
        _, _, size, _, names = self.unpack("<4s4sQQQ", heap)
        text, found = self.part(names, size), {}
        for node in self.leaves(tree, 0, 8):
            signature, _, _, count = self.unpack("<4sBBH", node)
            if signature != b"SNOD":
                raise Unreadable("has a group without its table of symbols")
            for i in range(count):
                name, address = self.unpack("<QQ", node + 8 + 40 * i)
                found[text[name : text.index(b"\0", name)].decode("utf-8", "replace")] = address
        return found

    def leaves(self, tree: int, kind: int, key: int) -> Iterator[int]:
        """Children of the lowest nodes of a B-tree of version 1; with keys of chunks, the addresses of the keys."""
        seen, nodes = set(), [tree]
        while nodes:
            at = nodes.pop()
            if at in seen:
                raise Unreadable("has a tree that runs in a circle")
            seen.add(at)
            signature, found, level, entries = self.unpack("<4sBBH", at)
            if signature != b"TREE" or found != kind:
                raise Unreadable("has no tree where one should be")
            for i in range(entries):
                place = at + 24 + i * (key + 8)
                child = self.unpack("<Q", place + key)[0]
                if level > 0:
                    nodes.append(child)
                else:
                    yield child if kind == 0 else place

    # arrays

    def array(self, node: Node) -> NDArray[Any]:
        """The numbers of a dataset in the order of the file, in which the first dimension is MATLAB's last."""
        assert node.shape is not None
        dtype = number_type(node.type)
        count = 1
        for extent in node.shape:
            count *= extent
        if count * dtype.itemsize > MOST_BYTES:
            raise Unreadable(f"has an array of more than {MOST_BYTES >> 30} GiB")
        self.content -= count * dtype.itemsize
        if self.content < 0:
            raise Unreadable("has arrays of more numbers than a file of its size can hold")
        if not node.layout or node.layout[0] != 3:
            raise Unreadable("has an array in a newer layout than MATLAB writes")
        form = node.layout[1]
        if form == 0:
            size = struct.unpack_from("<H", node.layout, 2)[0]
            return np.frombuffer(node.layout[4 : 4 + size], dtype, count).reshape(node.shape)
        if form == 1:
            address = struct.unpack_from("<Q", node.layout, 2)[0]
            if address == UNDEFINED:
                return np.zeros(node.shape, dtype)
            return np.frombuffer(self.part(address, count * dtype.itemsize), dtype).reshape(node.shape)
        if form == 2:
            return self.chunks(node, dtype)
        raise Unreadable(f"has an array of layout {form}")

    def chunks(self, node: Node, dtype: np.dtype[Any]) -> NDArray[Any]:
        assert node.shape is not None
        rank = node.layout[2] - 1
        if rank != len(node.shape):
            raise Unreadable("has chunks of another rank than the array")
        tree, *extents = struct.unpack_from(f"<Q{rank}I", node.layout, 3)
        whole = np.zeros(node.shape, dtype)
        if tree == UNDEFINED:
            return whole
        size = int(np.prod([int(extent) for extent in extents], dtype=object)) * dtype.itemsize
        if not 0 < size <= MOST_BYTES:
            raise Unreadable("has chunks without a size")
        for key in self.leaves(tree, 1, 8 + 8 * (rank + 1)):
            stored, mask, *corner = self.unpack(f"<II{rank}Q", key)
            address = self.unpack("<Q", key + 8 + 8 * (rank + 1))[0]
            raw = unfiltered(self.part(address, stored), node.filters, mask, size, dtype.itemsize)
            chunk = np.frombuffer(raw, dtype, size // dtype.itemsize).reshape(extents)
            place = tuple(slice(c, min(c + e, n)) for c, e, n in zip(corner, extents, node.shape))
            if any(part.start >= part.stop for part in place):
                raise Unreadable("has a chunk outside its array")
            whole[place] = chunk[tuple(slice(0, part.stop - part.start) for part in place)]
        return whole


def filters(body: bytes) -> list[tuple[int, tuple[int, ...]]]:
    version, count = body[0], body[1]
    found, at = [], 8 if version == 1 else 2
    for _ in range(count):
        number = struct.unpack_from("<H", body, at)[0]
        named = version == 1 or number >= 256
        name = struct.unpack_from("<H", body, at + 2)[0] if named else 0
        at += 4 if named else 2
        values = struct.unpack_from("<H", body, at + 2)[0]
        at += 4 + (-(-name // 8) * 8 if version == 1 else name)
        found.append((number, struct.unpack_from(f"<{values}I", body, at)))
        at += 4 * (values + (values % 2 if version == 1 else 0))
    return found


def unfiltered(raw: bytes, pipeline: list[tuple[int, tuple[int, ...]]], mask: int, size: int, width: int) -> bytes:
    for i, (number, _) in reversed(list(enumerate(pipeline))):
        if mask >> i & 1:
            continue
        if number == 1:
            raw = zlib.decompressobj().decompress(raw, size + 8)
        elif number == 2:
            raw = np.frombuffer(raw, np.uint8, len(raw) // width * width).reshape(width, -1).T.tobytes()
        elif number == 3:
            raw = raw[:-4]
        else:
            raise Unreadable(f"has an array behind filter {number}")
    if len(raw) < size:
        raise Unreadable("has a chunk that is too short")
    return raw[:size]


def link(node: Node, body: bytes) -> None:
    flags, at = body[1], 2
    kind = 0
    if flags & 8:
        kind, at = body[at], at + 1
    at += (8 if flags & 4 else 0) + (1 if flags & 16 else 0)
    width = 1 << (flags & 3)
    length = int.from_bytes(body[at : at + width], "little")
    at += width
    name = body[at : at + length].decode("utf-8", "replace")
    if kind == 0:
        node.links[name] = struct.unpack_from("<Q", body, at + length)[0]


def attribute(node: Node, body: bytes) -> None:
    """Texts such as MATLAB_class; others are passed over."""
    version = body[0]
    name, kind, space = struct.unpack_from("<3H", body, 2)
    at = 8 + (1 if version == 3 else 0)

    def step(size: int) -> int:
        return -(-size // 8) * 8 if version == 1 else size

    label = body[at : at + name].split(b"\0")[0].decode("utf-8", "replace")
    at += step(name)
    text = body[at] & 15 == 3
    at += step(kind) + step(space)
    if text:
        node.attributes[label] = body[at:].split(b"\0")[0].decode("utf-8", "replace")


def number_type(body: bytes) -> np.dtype[Any]:
    kind, size = body[0] & 15, struct.unpack_from("<I", body, 4)[0]
    order = ">" if body[1] & 1 else "<"
    letter = {0: "i" if body[1] & 8 else "u", 1: "f", 7: "u"}.get(kind)
    if letter is None or (letter, size) not in {(x, n) for x in "iu" for n in (1, 2, 4, 8)} | {("f", 4), ("f", 8)}:
        raise Unreadable(f"has an array of HDF5 class {kind} with {size} bytes")
    return np.dtype(f"{order}{letter}{size}")
