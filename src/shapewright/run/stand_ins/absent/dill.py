"""Stands for dill: what its files hold is read as pickled files are."""

from __future__ import annotations

from pickle import HIGHEST_PROTOCOL, dump, dumps, load, loads

__all__ = ["HIGHEST_PROTOCOL", "dump", "dumps", "load", "loads"]
