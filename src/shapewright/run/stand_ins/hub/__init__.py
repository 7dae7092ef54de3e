"""A small Hub: public configurations and tokenizers by name, made from the tables in `families/` when they are asked
for."""

from .repository import Repository, find

__all__ = ["Repository", "find"]
