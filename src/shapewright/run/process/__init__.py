"""The processes of a run: the supervisor's side, the resident process that forks, and the child that runs one
script."""
