"""`%load_ext shapewright`: the checker inside a notebook. No check imports this room."""
