"""Policy optimisation: pure functions of tensors, and the few pieces (language model, sampling, rollout) around them.
No loop, no file format."""
