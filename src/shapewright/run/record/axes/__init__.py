"""Follows the identity of every axis through the operators: one small module per family, found by discovery."""

from .carry import carry
from .table import load

load(__name__, __path__)

__all__ = ["carry"]
