"""Stands for einops where it is not installed: its patterns on torch tensors, with its complaints."""

from .patterns import EinopsError, asnumpy, einsum, parse_shape, rearrange, reduce, repeat

__all__ = ["EinopsError", "asnumpy", "einsum", "parse_shape", "rearrange", "reduce", "repeat"]
