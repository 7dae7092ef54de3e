"""IDX files (the format of MNIST and Fashion-MNIST), plain or gzipped.

Format: two zero bytes, one byte for the element type, one for the rank, a big-endian 32-bit size per axis, then the
elements. Source: http://yann.lecun.com/exdb/mnist/. Every defect is one sentence with the file and the byte offset.
"""

from __future__ import annotations

import gzip
import math
import struct
import zlib
from pathlib import Path

import numpy
import torch
from torch import Tensor

from ..settings import UsageError

TYPES = {0x08: "u1", 0x09: "i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}


def read(path: str | Path) -> Tensor:
    """The array in an IDX file, in native byte order. Raises `UsageError`."""
    path = Path(path)
    content = unpacked(path)
    if len(content) < 4:
        raise UsageError(f"{path}: {len(content)} bytes, an IDX file begins with 4 (offset 0)")
    zeros, kind, rank = content[:2], content[2], content[3]
    if zeros != b"\0\0" or kind not in TYPES:
        raise UsageError(
            f"{path}: no IDX file: it begins with {content[:4].hex(' ')} (offset 0), not 00 00, a type and a rank"
        )
    start = 4 + 4 * rank
    if len(content) < start:
        raise UsageError(
            f"{path}: truncated in its header: {len(content)} bytes, the sizes of {rank} axes end at offset {start}"
        )
    shape = struct.unpack(f">{rank}I", content[4:start])
    dtype = numpy.dtype(TYPES[kind])
    end = start + math.prod(shape) * dtype.itemsize
    if len(content) != end:
        what = "truncated" if len(content) < end else "longer than it says"
        raise UsageError(
            f"{path}: {what}: the header promises {shape} and so an end at offset {end}, the data end at offset "
            f"{len(content)}"
        )
    if not math.prod(shape):
        raise UsageError(f"{path}: empty: its header (offset 4) says {shape}")
    array = numpy.frombuffer(content, dtype=dtype, offset=start).reshape(shape)
    return torch.from_numpy(array.astype(dtype.newbyteorder("=")))


def unpacked(path: Path) -> bytes:
    """A file's bytes, unzipped where they are gzipped. Raises `UsageError` for what is missing, a folder, or broken."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from error
    if content[:2] != b"\x1f\x8b":
        return content
    try:
        return gzip.decompress(content)
    except (EOFError, OSError, zlib.error) as error:
        raise UsageError(
            f"{path}: broken gzip file, {len(content)} bytes on the disk (offset {torn(content)} of its contents): "
            f"{error}"
        ) from error


def torn(content: bytes) -> int:
    """How many bytes of a broken gzip file's contents can still be unpacked."""
    machine = zlib.decompressobj(31)
    good = 0
    try:
        for start in range(0, len(content), 4096):
            good += len(machine.decompress(content[start : start + 4096]))
    except zlib.error:
        pass
    return good


def pair(images_path: str | Path, labels_path: str | Path, classes: int | None = None) -> tuple[Tensor, Tensor]:
    """Images and labels that belong together.

    Returns:
        Images, Shape: (count, height, width), uint8; labels, Shape: (count,), int64.

    Raises `UsageError` where the counts differ, a rank is wrong, or a label is outside `classes`.
    """
    images, labels = read(images_path), read(labels_path)
    if images.dim() != 3 or images.dtype != torch.uint8:
        raise UsageError(
            f"{images_path}: images are bytes of rank 3, this file (offset 2) holds {images.dtype} of shape "
            f"{tuple(images.shape)}"
        )
    if labels.dim() != 1:
        raise UsageError(f"{labels_path}: labels have rank 1, this file (offset 3) says rank {labels.dim()}")
    if len(images) != len(labels):
        raise UsageError(
            f"{labels_path}: {len(labels)} labels (offset 4) for the {len(images)} images of {images_path}"
        )
    labels = labels.long()
    if classes is not None and bool((wrong := (labels < 0) | (labels >= classes)).any()):
        place = int(wrong.nonzero()[0])
        raise UsageError(
            f"{labels_path}: label {int(labels[place])} of sample {place} (offset {8 + place}) is not one of the "
            f"{classes} classes"
        )
    return images, labels
