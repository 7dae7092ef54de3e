"""From a finding to an edit that was run: propose, search, verify, patch.

finding ──proposals──▶ candidates ──runs at batch 1, ragged, full──▶ survivors ──ranking──▶ fix
"""

from .findings import repaired

__all__ = ["repaired"]
