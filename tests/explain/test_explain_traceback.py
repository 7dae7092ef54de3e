"""Whole tracebacks: the user's line, chained errors, warnings that do not matter."""

import pytest

from shapewright.explain.answer import explain, user_line

A1 = '''/home/u/env/lib/python3.11/site-packages/transformers/utils/generic.py:441: FutureWarning: `torch.utils._pytree._register_pytree_node` is deprecated.
/home/u/env/lib/python3.11/site-packages/huggingface_hub/file_download.py:1132: FutureWarning: `resume_download` is deprecated
Traceback (most recent call last):
  File "/home/u/rl.py", line 45, in <module>
    loss = reward_criterion(preferred_reward, less_preferred_reward, labels)
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/home/u/env/lib/python3.11/site-packages/torch/nn/functional.py", line 3372, in margin_ranking_loss
    raise RuntimeError(
RuntimeError: margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: torch.Size([1, 1]), input2: torch.Size([1, 1]), target: torch.Size([1])
'''


@pytest.mark.parametrize("lang,word", [("en", "unrelated"), ("es", "relación"), ("ja", "無関係")])
def test_the_first_diagnosis_in_every_language(lang, word):
    page = explain(A1, lang)
    assert page.slug == "margin-ranking"
    assert page.place.file == "/home/u/rl.py" and page.place.line == 45 and page.place.code.startswith("loss = reward_criterion")
    assert len(page.unrelated) == 2 and all(word in sentence for sentence in page.unrelated)
    assert ".squeeze(-1)" in page.hints and "rl.py:45" in str(page)


def test_the_last_error_of_a_chain_is_explained():
    text = ("RuntimeError: mat1 and mat2 shapes cannot be multiplied (4x8 and 9x10)\n\nDuring handling of the above exception, another exception occurred:\n\n"
            "IndexError: Dimension specified as 0 but tensor has no dimensions\n")
    assert explain(text, "en").slug == "dim-scalar"


def test_a_warning_alone_is_called_unrelated_and_nothing_else_is_said():
    page = explain("FutureWarning: `resume_download` is deprecated and will be removed in version 1.0.0.", "en")
    assert not page.known and len(page.unrelated) == 1


def test_frames_of_libraries_are_not_the_users():
    assert user_line('  File "/usr/lib/python3.11/runpy.py", line 3, in f\n    x()\n') is None
    assert user_line('  File "train.py", line 7, in step\n    y = f(x)\n  File "/v/site-packages/torch/x.py", line 9, in g\n    z\n').line == 7


def test_ranks_of_torchrun_are_read_through():
    assert explain("[rank0]: Traceback (most recent call last):\n[rank0]:   File \"a.py\", line 3, in <module>\n[rank0]:     f()\n"
                   "[rank0]: IndexError: Target 3 is out of bounds.", "en").place.line == 3
