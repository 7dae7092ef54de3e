"""How a run ended: the failing call, what is missing on the machine, failures in threads, and cuts taken back."""
