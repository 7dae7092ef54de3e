"""Follows the identity of every axis through the operators: one small module per family, found by the operator's name."""

from .carry import carry

__all__ = ["carry"]
