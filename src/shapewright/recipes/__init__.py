"""The training systems. Each recipe is one readable script, `recipes/NAME.py`; what several need stands in `loop/` and
`data/`.

Nothing is imported here, so that listing the recipes stays instant.
"""
