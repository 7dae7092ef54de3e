"""Every known message against the true wording of the installed torch, and against older wordings."""

import json
import os
import re
from pathlib import Path

import pytest
from provoked import CALLS, message

from shapewright.explain.answer import explain
from shapewright.explain.discovery import known_messages

SHARED = Path(os.environ.get("SHAPEWRIGHT_SHARED", Path(__file__).parents[2] / "../shared"))
UNCALLED = {"ce-spatial", "adaptive-pool-rank"}  # these do not fail with every torch
OLDER = {
    "size mismatch, m1: [4 x 1024], m2: [4096 x 10] at /pytorch/aten/src/TH/generic/THTensorMath.cpp:41": "matrix-product",
    "invalid argument 0: Sizes of tensors must match except in dimension 0. Got 3 and 4 in dimension 1": "cat-sizes",
    "multi-target not supported at /opt/conda/ClassNLLCriterion.c:21": "multi-target",
    "Expected object of scalar type Float but got scalar type Double for argument #2 'mat1'": "types-differ",
    "CUDA error: Assertion `t >= 0 && t < n_classes` failed.": "target-range",
    "index out of range: Tried to access index 12 out of table with 9 rows.": "embedding-range",
    "Expected target size (4, 100), got torch.Size([4])": "spatial-target",
    "Expected 4-dimensional input for 4-dimensional weight [8, 3, 3, 3], but got 3-dimensional input of size [3, 28, 28] instead": "conv-rank",
    "input must have 3 dimensions, got 2": "rnn-rank",
    "number of dims don't match in permute": "permute-rank",
    "Expected hidden size (1, 2, 4), got (1, 3, 4)": "rnn-hidden-size",
    "only integer scalar arrays can be converted to a scalar index": "one-number",
    "/pytorch/aten/src/ATen/native/cuda/Indexing.cu:1146: indexSelectLargeIndex: Assertion `srcIndex < srcSelectDimSize` failed.": "embedding-range",
    "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!": "devices-differ",
    "Input type (torch.cuda.FloatTensor) and weight type (torch.FloatTensor) should be the same": "types-differ",
    "'tuple' object has no attribute 'size'": "not-a-tensor",
    "Token indices sequence length is longer than the specified maximum sequence length for this model (1500 > 1024)": "text-too-long",
    "operands could not be broadcast together with shapes (3,) (4,)": "arrays-broadcast",
    "mat1 dim 1 must match mat2 dim 0": "matrix-product-unnamed",
    "mat1 and mat2 must have the same dtype": "types-differ",
    "Kernel size can't be greater than actual input size": "conv-kernel",
    "Expected object of device type cuda but got device type cpu for argument #1 'self' in call to _th_addmm": "devices-differ",
    "Expected tensor to have size 3 at dimension 1, but got size 4 for argument #2 'batch2' (while checking arguments for bmm)": "batched-product",
    "input and target batch or spatial sizes don't match: target [8, 256, 256], input [8, 21, 128, 128]": "spatial-target",
    "conv2d() received an invalid combination of arguments - got (tuple, Parameter, Parameter, tuple, tuple, tuple, int), but expected": "not-a-tensor",
    "expecting key_padding_mask shape of (32, 10), but got torch.Size([10, 32])": "padding-mask",
    "einsum() operands do not broadcast with remapped shapes [original->remapped]: [2, 3]->[2, 3, 1] [4, 5]->[1, 4, 5]": "einsum-size",
    "CUDA error: device-side assert triggered\nCUDA kernel errors might be asynchronously reported at some other API call": "gpu-assert",
    "CUDA error: CUBLAS_STATUS_INVALID_VALUE when calling `cublasSgemm( handle, opa, opb, m, n, k, &alpha)`": "gpu-product",
    "cuDNN error: CUDNN_STATUS_NOT_SUPPORTED. This error may appear if you passed in a non-contiguous input.": "gpu-product",
    "Attention mask should be of size (4, 1, 10, 10), but is torch.Size([4, 1, 10, 12])": "attention-mask-grown",
    "\"addmm_impl_cpu_\" not implemented for 'Half'": "type-not-implemented",
    "The hidden size (30) is not a multiple of the number of attention heads (8)": "heads",
}


@pytest.fixture(scope="module")
def true_texts():
    return {name: message(name) for name in CALLS if name not in UNCALLED}


def test_at_least_forty_five_messages_are_known(true_texts):
    assert len({explain(text, "en").slug for text in true_texts.values()} - {""}) >= 45


def test_every_provoked_message_is_explained_in_three_languages(true_texts):
    for name, text in true_texts.items():
        pages = {lang: explain(text, lang) for lang in ("en", "es", "ja")}
        for lang, page in pages.items():
            assert page.known, f"{name}: unknown wording: {text}"
            assert page.wants and page.causes and page.hints, (name, lang)
            assert "{" not in page.wants + page.got + page.causes + page.hints, (name, lang)
        assert len({page.slug for page in pages.values()}) == 1 and len({page.wants for page in pages.values()}) == 3, (
            name
        )
        assert re.search(r"[ぁ-んァ-ン]", pages["ja"].wants), name


def test_every_known_message_is_provoked(true_texts):
    seen = {explain(text, "en").slug for text in true_texts.values()} | set(
        OLDER.values()
    )  # a GPU's and a warning cannot be provoked here
    assert {message.slug for _, message in known_messages()} - seen == set()


def test_slugs_are_unique():
    slugs = [message.slug for _, message in known_messages()]
    assert len(slugs) == len(set(slugs))


@pytest.mark.parametrize("text,slug", OLDER.items())
def test_older_wordings(text, slug):
    assert explain(f"RuntimeError: {text}", "en").slug == slug


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared cases are not here")
def test_the_errors_of_the_cases_are_known():
    errors = [json.loads(path.read_text())["error"] for path in sorted((SHARED / "cases").glob("*/case.json"))]
    errors = [error for error in errors if error]
    assert errors and [error for error in errors if not explain(error, "en").known] == []


@pytest.mark.parametrize(
    "text",
    [
        "KeyError: 'labels'",
        "FileNotFoundError: [Errno 2] No such file or directory: 'x.csv'",
        "ValueError: I ate the tensor",
        "hello",
        "",
        "RuntimeError: the shape of things to come",
        "AssertionError",
        "CUDA out of memory. Tried to allocate 2.00 GiB",
    ],
)
def test_what_is_unknown_is_called_unknown_and_no_guess_is_made(text):
    page = explain(text, "en")
    assert not page.known and not (page.wants or page.got or page.causes or page.hints)
    assert "does not know" in str(page)


@pytest.mark.parametrize(
    "text,parts",
    [
        (
            "mat1 and mat2 shapes cannot be multiplied (4x1024 and 4096x10)",
            ("16·8·8", "Linear(1024, 10)", "4096 = 4 × 1024"),
        ),
        ("shape '[-1, 1000]' is invalid for input of size 4096", ("4096 / 1000 = 4.096", "1024")),
        ("shape '[32, 400]' is invalid for input of size 6400", ("12800 ≠ 6400", "32 → 16")),
        ("Expected hidden[0] size (2, 52, 64), got [2, 64, 64]", ("52 ≠ 64",)),
        ("embed_dim must be divisible by num_heads (got `embed_dim`: 30 and `num_heads`: 8)", ("6",)),
        (
            "Given groups=1, weight of size [8, 16, 3], expected input[4, 50, 16] to have 16 channels, but got 50 channels instead",
            ("permute(0, 2, 1)",),
        ),
        ("Expected input batch_size (4) to match target batch_size (16).", ("16 = 4 × 4",)),
        ("operands could not be broadcast together with shapes (32,) (32,10) ", ("32 ≠ 10", "(32, 1)")),
        (
            "shapes (2,3) and (4,3) not aligned: 3 (dim 1) != 4 (dim 0)",
            ("axis 1 of the first has size 3, but axis 0 of the second has size 4", "(4,3), fits if you transpose"),
        ),
        ("cannot reshape array of size 100 into shape (3,28)", ("84",)),
        ("index 5 is out of bounds for dimension 0 with size 5", ("5 = 5", "size is 5")),
    ],
)
def test_the_sums_are_done_on_this_message_s_numbers(text, parts):
    page = explain(text, "en")
    said = "\n".join((page.wants, page.got, page.causes, page.hints))
    assert all(part in said for part in parts), said


def test_the_package_explains_as_often_as_it_is_asked():
    import shapewright

    text = "mat1 and mat2 shapes cannot be multiplied (4x8 and 5x3)"
    assert (
        str(shapewright.explain(text, "en"))
        == str(shapewright.explain(text, "en"))
        != str(shapewright.explain(text, "es"))
    )
