"""Whole tracebacks: the user's line, chained errors, warnings that do not matter."""

import pytest

from shapewright.explain.answer import explain
from shapewright.explain.pasted import user_line

A1 = """/home/u/env/lib/python3.11/site-packages/transformers/utils/generic.py:441: FutureWarning: `torch.utils._pytree._register_pytree_node` is deprecated.
/home/u/env/lib/python3.11/site-packages/huggingface_hub/file_download.py:1132: FutureWarning: `resume_download` is deprecated
Traceback (most recent call last):
  File "/home/u/rl.py", line 45, in <module>
    loss = reward_criterion(preferred_reward, less_preferred_reward, labels)
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/home/u/env/lib/python3.11/site-packages/torch/nn/functional.py", line 3372, in margin_ranking_loss
    raise RuntimeError(
RuntimeError: margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: torch.Size([1, 1]), input2: torch.Size([1, 1]), target: torch.Size([1])
"""


@pytest.mark.parametrize("lang,word", [("en", "nothing to do"), ("es", "relación"), ("ja", "無関係")])
def test_the_first_diagnosis_in_every_language(lang, word):
    page = explain(A1, lang)
    assert page.slug == "margin-ranking"
    assert (
        page.place.file == "/home/u/rl.py"
        and page.place.line == 45
        and page.place.code.startswith("loss = reward_criterion")
    )
    assert len(page.unrelated) == 2 and all(word in sentence for sentence in page.unrelated)
    assert ".squeeze(-1)" in page.hints and "rl.py:45" in str(page)


def test_the_last_error_of_a_chain_is_explained():
    text = (
        "RuntimeError: mat1 and mat2 shapes cannot be multiplied (4x8 and 9x10)\n\nDuring handling of the above exception, another exception occurred:\n\n"
        "IndexError: Dimension specified as 0 but tensor has no dimensions\n"
    )
    assert explain(text, "en").slug == "dim-scalar"


def test_a_warning_alone_is_called_unrelated_and_nothing_else_is_said():
    page = explain("FutureWarning: `resume_download` is deprecated and will be removed in version 1.0.0.", "en")
    assert not page.known and len(page.unrelated) == 1


def test_frames_of_libraries_are_not_the_users():
    assert user_line('  File "/usr/lib/python3.11/runpy.py", line 3, in f\n    x()\n') is None
    assert (
        user_line(
            '  File "train.py", line 7, in step\n    y = f(x)\n  File "/v/site-packages/torch/x.py", line 9, in g\n    z\n'
        ).line
        == 7
    )


def test_ranks_of_torchrun_are_read_through():
    assert (
        explain(
            '[rank0]: Traceback (most recent call last):\n[rank0]:   File "a.py", line 3, in <module>\n[rank0]:     f()\n'
            "[rank0]: IndexError: Target 3 is out of bounds.",
            "en",
        ).place.line
        == 3
    )


MESSAGE = "mat1 and mat2 shapes cannot be multiplied (64x512 and 784x10)"
LIBRARY = "site-packages/torch/nn/modules/linear.py"
PASTED = {
    "colours": (
        "\x1b[0;31mRuntimeError\x1b[0m: mat1 and mat2 shapes \x1b[1mcannot be multiplied\x1b[0m (64x512 and 784x10)",
        None,
    ),
    "a narrow terminal": ("RuntimeError: mat1 and mat2 shapes cannot be\n  multiplied (64x512 and 784x10)", None),
    "a web page": ("RuntimeError: mat1\u00a0and mat2 shapes cannot be multiplied &#40;64x512 and 784x10&#41;", None),
    "an old notebook": (
        f"<ipython-input-12-3f8a> in <module>\n      3 for x in loader:\n----> 5     out = model(x)\n\n/usr/lib/{LIBRARY} in linear(input)\n-> 1847  return f()\n\n"
        f"RuntimeError: {MESSAGE}",
        ("<ipython-input-12-3f8a>", 5),
    ),
    "a notebook": (
        f"Cell In[7], line 5\n      3 for x in loader:\n----> 5     out = model(x)\n\nFile ~/lib/python3.11/{LIBRARY}:114, in Linear.forward(self, input)\n--> 114 f()\n\n"
        f"Cell In[3], line 11, in Net.forward(self, x)\n---> 11     return self.fc(x)\n\nFile ~/lib/python3.11/{LIBRARY}:114, in f(x)\n--> 114     g()\n\nRuntimeError: {MESSAGE}",
        ("Cell In[3]", 11),
    ),
    "pytest": (
        f">       return self.fc(x)\n\nmodel.py:11: \n_ _ _ _\n../v/{LIBRARY}:114: in forward\n    return f()\nE   RuntimeError: {MESSAGE}\n\n../v/{LIBRARY}:114: RuntimeError",
        ("model.py", 11),
    ),
    "Windows": (
        f'  File "C:\\Users\\Max M\\train.py", line 57, in <module>\r\n    out = model(x)\r\nRuntimeError: {MESSAGE}\r\n',
        ("C:\\Users\\Max M\\train.py", 57),
    ),
    "a log": (
        f'12:00,123 ERROR t:   File "/home/u/train.py", line 5, in <module>\n12:00,124 ERROR t: RuntimeError: {MESSAGE}',
        ("/home/u/train.py", 5),
    ),
    "a container": (
        f'w_1  |   File "/app/train.py", line 5, in main\nw_1  |     out = model(x)\nw_1  | RuntimeError: {MESSAGE}',
        ("/app/train.py", 5),
    ),
    "frames without source": (
        f'  File "/v/site-packages/lightning/trainer.py", line 600, in fit\n  File "/work/model.py", line 31, in training_step\n    out = f(x)\nRuntimeError: {MESSAGE}',
        ("/work/model.py", 31),
    ),
    "another failure after it": (
        f'  File "a.py", line 3, in <module>\n    f()\nRuntimeError: {MESSAGE}\n\nDuring handling of the above exception, another exception occurred:\n\n'
        '  File "a.py", line 9, in <module>\n    d["k"]\nKeyError: \'k\'',
        ("a.py", 3),
    ),
}


@pytest.mark.parametrize("name", PASTED)
def test_what_people_paste_is_read(name):
    text, place = PASTED[name]
    page = explain(text, "en")
    assert page.slug == "matrix-product" and page.message == MESSAGE
    assert (page.place and (page.place.file, page.place.line)) == place


def test_a_message_that_was_cut_off_is_not_guessed():
    assert not explain("RuntimeError: mat1 and mat2 shapes cannot be multiplied (64x512 and 784", "en").known
