"""What keeps a run from touching anything outside its scratch folder: `enter.enter`, called in the forked child before
the user's code."""
