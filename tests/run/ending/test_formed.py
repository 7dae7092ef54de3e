"""A number that a table has no row of, where both were made up."""

import pytest

from shapewright.run.ending.formed import numbers_apart
from shapewright.trace import Assumption, Event, Failure, Outcome, Site, TensorFact, Trace


@pytest.mark.parametrize(("files", "told"), [(("a.train", "a.test"), True), (("a.train",), False), ((), False)])
def test_rows_counted_in_one_made_up_file_say_nothing_of_numbers_in_another(files, told):
    given = (TensorFact((4,), "int64"), TensorFact((2, 8), "float32"))
    event = Event(0, "embedding", given, {}, None, ())
    failure = Failure("IndexError", "index out of range in self", Site("a.py", 3), (), event)
    made = tuple(Assumption("stand-in-file", {"file": file}) for file in files)
    assert numbers_apart(Trace("a.py", Outcome("stopped"), failure=failure, assumptions=made)) is told
