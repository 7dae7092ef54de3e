"""What a text or a document that is not there is to hold, seen from what a script's own code does with it."""

import json
import os

import numpy
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


def test_parts_that_are_taken_apart_after_they_were_made_numbers():
    def reader(file):
        for line in file:
            row = line.strip().split()
            count, kind = [int(word) for word in row]
            {kind: count}

    assert all(len(line.split()) == 2 for line in read(reader))


DOCUMENTS = {
    "records in a list": (
        lambda held: [
            (one["name"].split(), os.path.join("a", one["file"] + ".png"), one["size"] / 2, one["at"] - 1)
            for one in held["all"]
        ],
        lambda made: all(
            [*map(type, one.values())] == [str, str, float, int] and "." not in one["file"] for one in made["all"]
        ),
    ),
    "names to pairs": (
        lambda held: [(int(name), word.lower(), at * 2) for name, (word, at) in held.items()],
        lambda made: all(name.isdigit() and type(row[0]) is str and type(row[1]) is int for name, row in made.items()),
    ),
    "what is compared": (
        lambda held: [one["text"].strip() for one in held if one["kind"] == "held" or one["kind"] == "kept"],
        lambda made: {one["kind"] for one in made} == {"held", "kept"},
    ),
    "a table of numbers beside a number": (
        lambda held: (numpy.array(held["rows"]).astype("float32"), float(held["scale"])),
        lambda made: numpy.shape(made["rows"]) == (5,) and type(made["scale"]) is float,
    ),
    "a vocabulary": (
        lambda held: (held["<pad>"], len(held)),
        lambda made: made["<pad>"] == 0 and len(made) > 100,
    ),
    "numbered names": (
        lambda held: [held[str(at)][1] for at in range(len(held))],
        lambda made: len(made) > 100 and all(len(row) == 2 for row in made.values()),
    ),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents(name):
    reader, holds = DOCUMENTS[name]
    asked = Asked()
    with records():
        reader(json.load(Stream(unasked(" "), "x.json", asked)))
    made = json.loads(text_of(written(asked), Usage(), Guess(), 5, lambda part: (5,)))
    reader(made)
    assert holds(made)
