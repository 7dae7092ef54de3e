"""What users give: IDX, picture folders, text, JSONL, CSV. Every defect is one sentence with the file and the place."""

import gzip
import struct

import pytest
import torch
from PIL import Image

from shapewright.recipes.data import corpora, download, idx, image_folder, labelled_texts, pictures, text_file
from shapewright.recipes.settings import UsageError


def idx_bytes(array):
    kind = {torch.uint8: 8, torch.int32: 12}[array.dtype]
    data = array.numpy().astype(">i4").tobytes() if kind == 12 else array.numpy().tobytes()
    return bytes([0, 0, kind, array.dim()]) + struct.pack(f">{array.dim()}I", *array.shape) + data


IMAGES = torch.arange(4 * 3 * 2, dtype=torch.uint8).view(4, 3, 2)
LABELS = torch.tensor([1, 0, 9, 3], dtype=torch.uint8)


def said(call):
    with pytest.raises(UsageError) as caught:
        call()
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("packed", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_idx_comes_back(tmp_path, packed):
    (tmp_path / "a").write_bytes(packed(idx_bytes(IMAGES)))
    assert torch.equal(idx.read(tmp_path / "a"), IMAGES)
    (tmp_path / "b").write_bytes(packed(idx_bytes(torch.tensor([[1, -2]], dtype=torch.int32))))
    assert idx.read(tmp_path / "b").tolist() == [[1, -2]]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "0 bytes"),
        (b"\x00\x00", "2 bytes"),
        (b"PNG!" + b"0" * 20, "no IDX file"),
        (idx_bytes(IMAGES)[:10], "truncated in its header: 10 bytes, the sizes of 3 axes end at offset 16"),
        (
            idx_bytes(IMAGES)[:-5],
            "truncated: the header promises (4, 3, 2) and so an end at offset 40, the data end at offset 35",
        ),
        (idx_bytes(IMAGES) + b"x", "longer than it says"),
        (idx_bytes(IMAGES[:0]), "empty"),
        (gzip.compress(idx_bytes(IMAGES))[:-12], "broken gzip"),
    ],
    ids=["empty", "two-bytes", "not-idx", "header", "data", "longer", "no-samples", "gzip"],
)
def test_a_broken_idx_file_is_named_with_the_offset(tmp_path, content, words):
    (tmp_path / "bad-idx").write_bytes(content)
    text = said(lambda: idx.read(tmp_path / "bad-idx"))
    assert words in text and "bad-idx" in text


def test_images_and_labels_must_belong_together(tmp_path):
    (tmp_path / "i").write_bytes(idx_bytes(IMAGES))
    (tmp_path / "l").write_bytes(idx_bytes(LABELS))
    images, labels = idx.pair(tmp_path / "i", tmp_path / "l", 10)
    assert images.shape == (4, 3, 2) and labels.tolist() == [1, 0, 9, 3]
    assert "label 9 of sample 2 (offset 10)" in said(lambda: idx.pair(tmp_path / "i", tmp_path / "l", 5))
    (tmp_path / "l").write_bytes(idx_bytes(LABELS[:3]))
    assert "3 labels (offset 4) for the 4 images" in said(lambda: idx.pair(tmp_path / "i", tmp_path / "l"))
    assert "rank 3" in said(lambda: idx.pair(tmp_path / "l", tmp_path / "l"))


def test_a_folder_with_one_pair_holds_its_last_fifth_out(tmp_path):
    (tmp_path / "t10k-images-idx3-ubyte").write_bytes(idx_bytes(torch.arange(10 * 4, dtype=torch.uint8).view(10, 2, 2)))
    (tmp_path / "t10k-labels-idx1-ubyte").write_bytes(idx_bytes(torch.arange(10, dtype=torch.uint8)))
    data = pictures.load(str(tmp_path))
    assert (
        data.train_labels.tolist() == list(range(8))
        and data.test_labels.tolist() == [8, 9]
        and data.train_images.shape == (8, 1, 2, 2)
    )
    assert data.mean.item() == pytest.approx(31 / 2 / 255)
    normal = data.normalised(data.train_images)
    assert normal.mean().item() == pytest.approx(0, abs=1e-6) and normal.std(correction=0).item() == pytest.approx(
        1, abs=1e-5
    )
    (tmp_path / "t10k-labels-idx1-ubyte").unlink()
    assert "its labels are not beside it" in said(lambda: pictures.load(str(tmp_path)))


def picture_folder(tmp_path, mode="L"):
    for label, name in enumerate(("cats", "dogs")):
        (tmp_path / name).mkdir()
        for number in range(3):
            Image.new(mode, (10, 8), 40 * label + number if mode == "L" else (40 * label, number, 7)).save(
                tmp_path / name / f"{number}.png"
            )
    return tmp_path


def test_a_picture_folder_is_read(tmp_path):
    images, labels, names = image_folder.read(picture_folder(tmp_path, "RGB"), (6, 5), channels=3)
    assert images.shape == (6, 3, 6, 5) and labels.tolist() == [0, 0, 0, 1, 1, 1] and names == ["cats", "dogs"]
    assert images[3, :, 0, 0].tolist() == [40, 0, 7]
    assert pictures.load(str(tmp_path), size=(8, 8)).train_images.shape == (5, 1, 8, 8)


def test_a_broken_picture_is_named(tmp_path):
    picture_folder(tmp_path)
    whole = (tmp_path / "dogs" / "1.png").read_bytes()
    for content in (b"", b"no picture", whole[:40]):
        (tmp_path / "dogs" / "1.png").write_bytes(content)
        assert "dogs/1.png" in said(lambda: image_folder.read(tmp_path))


def test_a_class_without_pictures_and_a_folder_without_classes(tmp_path):
    assert "one subfolder per class" in said(lambda: image_folder.read(tmp_path))
    picture_folder(tmp_path)
    (tmp_path / "empty").mkdir()
    assert "no picture in this class" in said(lambda: image_folder.read(tmp_path))


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.txt", b"good\n\xff bad", "byte 0xff at offset 5 (line 2)"),
        ("a.txt", b"  \n ", "empty: 4 bytes"),
        ("a.jsonl", b'{"text": "a"}\n{"text": }', "a.jsonl:2: no JSON: Expecting value at offset 23"),
        ("a.jsonl", b'{"text": "\xc3\xa4"}\n[1]', "an object is wanted, this line (offset 15) holds list"),
        ("a.jsonl", b'{"other": "a"}', "a.jsonl:1: no field 'text'; there are 'other'"),
        ("a.jsonl", b'{"text": "a"}\n\n{"text": 3}', "a.jsonl:3: the field 'text' is int, not text"),
        ("a.csv", b"text,label\nx,1\ny\n", "a.csv:3: 1 fields where the heading has 2"),
        ("a.csv", b'text,label\n"x,1\n', "a.csv:2"),
        ("a.csv", b"text,label\n", "no record behind the heading"),
    ],
)
def test_defective_text_is_named_with_its_place(tmp_path, name, content, words):
    (tmp_path / name).write_bytes(content)
    text = said(lambda: text_file.column(tmp_path / name))
    assert words in text and str(tmp_path / name) in text


def test_text_in_every_form(tmp_path):
    (tmp_path / "a.csv").write_text('text,label\n"two, words",1\nb,0\n')
    (tmp_path / "a.tsv").write_text("text\tlabel\na\t1\n")
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(b'{"text": "a"}\n'))
    (tmp_path / "a.txt").write_text("\ufeffone\n\ntwo\n", encoding="utf-8")
    assert text_file.column(tmp_path / "a.csv") == ["two, words", "b"] and text_file.column(tmp_path / "a.tsv") == ["a"]
    assert text_file.column(tmp_path / "a.jsonl.gz") == ["a"] and text_file.column(tmp_path / "a.txt") == ["one", "two"]


def test_labels_of_texts(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text("".join(f'{{"text": "t{number}", "label": {number % 3 * 5}}}\n' for number in range(10)))
    data = labelled_texts.load(str(path))
    assert data.classes == ("0", "5", "10") and data.train_labels[:4] == [0, 1, 2, 0] and len(data.test) == 2
    path.write_text('{"text": "a", "label": 1}\n{"text": "b", "label": 1.5}\n')
    assert "a.jsonl:2: the label 'label' is 1.5" in said(lambda: labelled_texts.load(str(path)))
    path.write_text('{"text": "a", "label": 1}\n{"text": "b", "label": 1}\n')
    assert "a classifier needs two" in said(lambda: labelled_texts.load(str(path)))


def test_missing_files_are_said():
    assert "not there" in said(lambda: pictures.load("no/such/folder"))
    assert "there is no file" in said(lambda: corpora.load("no/such/file"))
    assert "No such file" in said(lambda: text_file.column("no/such/file"))


def test_a_download_is_kept_only_with_its_checksum(tmp_path, monkeypatch):
    class Answer:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def read(self):
            return b"something else"

    monkeypatch.setenv("SHAPEWRIGHT_CACHE", str(tmp_path))
    monkeypatch.setattr(download.urllib.request, "urlopen", lambda *_, **__: Answer())
    assert "checksum" in said(lambda: pictures.load("mnist")) and not list(tmp_path.rglob("*ubyte*"))

    def offline(*_, **__):
        raise download.urllib.error.URLError("no route")

    monkeypatch.setattr(download.urllib.request, "urlopen", offline)
    assert "cannot be downloaded" in said(lambda: pictures.load("fashion-mnist"))
