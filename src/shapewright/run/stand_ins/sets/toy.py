"""The toy sets that libraries carry or draw: rows, columns, classes (0: numbers)."""

SETS = {
    "load_iris": (150, 4, 3),
    "load_wine": (178, 13, 3),
    "load_breast_cancer": (569, 30, 2),
    "load_digits": (500, 64, 10),
    "load_diabetes": (442, 10, 0),
    "fetch_california_housing": (500, 8, 0),
    "load_boston": (506, 13, 0),
    "fetch_openml": (500, 784, 10),
    "fetch_olivetti_faces": (400, 4096, 40),
    "make_moons": (100, 2, 2),
    "make_circles": (100, 2, 2),
    "make_blobs": (100, 2, 3),
    "make_classification": (100, 20, 2),
    "make_regression": (100, 100, 0),
    "make_swiss_roll": (100, 3, 0),
    "make_s_curve": (100, 3, 0),
    "make_friedman1": (100, 10, 0),
}
