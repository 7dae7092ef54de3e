"""Data sets: the user's own files, public sets with checksums, and small ones that need no network."""
