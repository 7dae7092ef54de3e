"""Policy optimisation as pure functions of tensors: no model, no loop, no file."""
