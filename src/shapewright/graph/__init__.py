"""The questions asked of a trace: who made this, where was this size set, what flows where. Pure: it reads data and
texts and runs nothing."""
