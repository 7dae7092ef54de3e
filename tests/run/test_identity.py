"""What is freed leaves its address to the next tensor: a gradient at a used address is not the gradient that was used."""

import torch

from shapewright.run.record.identity import Identities
from shapewright.run.record.landmarks import Landmarks
from shapewright.run.record.notes import Notes


def test_a_freed_tensor_is_forgotten_though_its_address_lives_on():
    seen = Identities()
    one = torch.ones(3)
    seen.update([one])
    assert one in seen
    address, seen._by_address = id(one), dict(seen._by_address)
    other = torch.ones(3)
    seen._by_address[id(other)] = seen._by_address.pop(address)  # as if `other` had come to lie where `one` was
    del one
    assert other not in seen


def test_a_new_gradient_at_a_used_address_is_not_stale():
    class Nobody:
        raw: list = []
        notes = Notes()

    model = torch.nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    marks = Landmarks(Nobody())
    marks.optimizers[id(optimizer)] = optimizer
    model(torch.ones(4, 2)).sum().backward()
    marks.spend(optimizer)
    assert len(marks.stale()) == 2
    held = [p.grad for p in model.parameters()]
    for p in model.parameters():
        p.grad = None
    del held
    model(torch.ones(4, 2)).sum().backward()  # often at the very same addresses and versions
    assert marks.stale() == []
