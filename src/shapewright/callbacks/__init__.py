"""A preflight before the first step of other trainers: one module for each. No check imports this room."""
