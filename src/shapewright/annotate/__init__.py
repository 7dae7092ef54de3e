"""`shapewright annotate`: observed shapes, written into the code. No check imports this room."""
