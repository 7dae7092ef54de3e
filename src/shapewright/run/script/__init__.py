"""From what the user named to code that runs: reading, notebooks, instrumentation, loops that are cut, loaders that are
hooked."""
