"""The diagnosis of one script: what was found, where, why, and what was not checked.

`model` is the data (the JSON contract), `judge` applies the rules to a trace. Nothing here prints, and nothing imports
torch.
"""

from .judge import diagnose
from .model import (
    AssumptionNote,
    Diagnosis,
    Edit,
    Excerpt,
    ExcerptLine,
    Finding,
    Fix,
    Label,
    OriginNote,
    Rejected,
    Remark,
)

__all__ = [
    "AssumptionNote",
    "Diagnosis",
    "Edit",
    "Excerpt",
    "ExcerptLine",
    "Finding",
    "Fix",
    "Label",
    "OriginNote",
    "Rejected",
    "Remark",
    "diagnose",
]
