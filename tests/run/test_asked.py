"""What a text that is not there is to hold, seen from what a script's own code does with it."""

import pytest

from shapewright.run.process.request import Guess
from shapewright.run.stand_ins.files.answering import text_of
from shapewright.run.stand_ins.files.asked import Asked, unasked, written
from shapewright.run.stand_ins.files.observed import Stream, records
from shapewright.run.stand_ins.files.usage import Usage


def read(reader):
    """The text that is made up after a reader was seen, which reads it then."""
    asked = Asked()
    with records():
        reader(Stream(unasked(" "), "x.txt", asked))
    return text_of(written(asked), Usage(), Guess(), 5).splitlines()


def test_numbers_and_names_apart_by_a_mark():
    def one(file):
        for line in file:
            user, item, score = line.split("::")
            {item: (int(user), float(score))}

    rows = [line.split("::") for line in read(one)]
    assert all(len(row) == 3 and row[0].isdigit() and row[1].isalpha() and "." in row[2] for row in rows)


def test_how_many_lines_follow_comes_first():
    def reader(file):
        count = int(file.readline())
        return [tuple(map(int, file.readline().split())) for _ in range(min(count, 30))]

    first, *rest = read(reader)
    assert int(first) == len(rest)


def test_blank_lines_where_the_reader_looks_for_them():
    def reader(file):
        for line in file:
            line = line.strip()
            if not line:
                continue
            parts = line.split()
            {parts[0]: parts[-1]}

    lines = read(reader)
    assert "" in lines and all(len(line.split()) > 1 for line in lines if line)


def test_lines_that_take_turns():
    def reader(file):
        lines = file.readlines()
        for at in range(0, len(lines), 2):
            lines[at].split("|||")
            float(lines[at + 1])

    lines = read(reader)
    assert all("|||" in line for line in lines[::2]) and all(float(line) >= 0 for line in lines[1::2])


@pytest.mark.parametrize("count", [1, 3, 6])
def test_as_many_parts_as_are_asked_for(count):
    def reader(file):
        for line in file:
            parts = line.rstrip("\n").split("\t")
            int(parts[count])

    assert {len(line.split("\t")) for line in read(reader)} == {count + 1}


def test_who_compares_tells_the_values():
    def reader(file):
        for line in file:
            label = line.split("\t")[0]
            if label == "spam" or label == "ham":
                pass

    assert {line.split("\t")[0] for line in read(reader)} == {"spam", "ham"}
