"""Preference pairs: reading them, batching them, scoring them, and the losses over their scores."""
