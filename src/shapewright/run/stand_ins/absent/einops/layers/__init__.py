"""The layers of einops' stand-in."""
