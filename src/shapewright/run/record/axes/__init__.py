"""Follows the identity of every axis through the operators: reads the table's axis maps forwards."""

from .carry import carry

__all__ = ["carry"]
