"""One resident process for all tests of repair."""

import pytest

from shapewright.run.supervisor import Resident


@pytest.fixture(scope="session")
def resident():
    with Resident() as running:
        yield running
