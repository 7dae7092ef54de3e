"""Laying two results of different batch length beside each other."""

import torch

from shapewright.probes.align import Change, difference, differs, tolerance


def test_a_cut_axis_is_compared_entry_by_entry():
    whole = torch.randn(5, 3)
    change = Change(5, (1, 2, 3))
    assert change.axes(whole, whole[1:4]) == (0,)
    assert not differs(whole, whole[1:4], change)
    assert differs(whole, whole[0:3], change)


def test_a_merged_axis_is_compared_in_the_order_that_fits():
    whole = torch.randn(5, 4, 2)
    change = Change(5, (1, 2, 3))
    assert not differs(whole.reshape(20, 2), whole[1:4].reshape(12, 2), change)
    turned, cut = whole.transpose(0, 1), whole[1:4].transpose(0, 1)
    assert not differs(turned.reshape(20, 2), cut.reshape(12, 2), change)
    heads = torch.randn(2, 5, 3, 4)
    assert not differs(heads.reshape(30, 4), heads[:, 1:4].reshape(18, 4), change)
    assert differs(whole.reshape(20, 2), cut.reshape(12, 2), change)


def test_both_axes_of_a_table_of_pairs_are_cut():
    z = torch.randn(6, 3)
    change = Change(6, (1, 2, 3, 4))
    whole, cut = z @ z.t(), z[1:5] @ z[1:5].t()
    assert change.axes(whole, cut) == (0, 1)
    assert not differs(whole, cut, change)
    assert differs(whole.softmax(1), cut.softmax(1), change)


def test_other_ranks_are_infinitely_different_and_infinities_agree():
    change = Change(4, (0, 1))
    assert difference(torch.ones(4, 2), torch.ones(2), change)[0] == float("inf")
    mask = torch.full((4, 2), float("-inf"))
    assert not differs(mask, mask[:2], change)


def test_tolerance_grows_with_the_size_of_the_values_and_with_coarse_types():
    assert tolerance(torch.float32, 100.0) > tolerance(torch.float32, 1.0)
    assert tolerance(torch.bfloat16, 1.0) > tolerance(torch.float32, 1.0) > tolerance(torch.float64, 1.0)
    assert tolerance(torch.int64, 5.0) == 0.0
