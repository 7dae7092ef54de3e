"""Cases of SW141."""

FAULTY = (
    (
        """
import numpy as np
features = np.zeros((10, 8))
labels = np.zeros(10)
table = np.concatenate([features, labels], axis=1)
""",
        5,
    ),
    (
        """
import numpy as np
weights, rows = np.zeros((4, 3)), np.zeros((5, 4))
scores = rows @ weights.T
""",
        4,
    ),
    (
        """
import numpy as np
pieces = [np.zeros((2, 3)), np.zeros((2, 4))]
whole = np.vstack(pieces)
""",
        4,
    ),
)

SOUND = (
    """
import numpy as np
np.concatenate([np.zeros((10, 8)), np.zeros(10)[:, None]], axis=1)
""",
    """
try:
    int("x")
except ValueError:
    pass
""",
)
