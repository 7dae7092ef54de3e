"""Notes which loaders were trained on, and whether a sampler that divides the samples among ranks gave two epochs of
training the same order."""

from __future__ import annotations

from typing import Any

from torch.utils.data.distributed import DistributedSampler


class Passes:
    """The passes over one loader. A pass counts when training goes on between two of its batches: `told["trained"]`;
    `told["repeated"]` becomes true with the second one of the same order. `told["judged"]` tells that two batches came
    with no training between them once something was trained or a model was asked: what is only added up is not judged;
    `told["fed"]` that training went on between two, whoever drew them."""

    def __init__(self, sampler: object, told: dict[str, object]) -> None:
        self.sampler, self.told = sampler, told
        self._iterator: Any = None
        self._began = self._asked = self._epoch = 0
        self._counted = False
        self._epochs: set[int] = set()

    def drawn(self, iterator: object, trained: int, asked: int, looped: bool) -> None:
        """A batch was drawn, after so many steps of training and calls of models, by a loop of the user's or not."""
        if iterator is not self._iterator:
            self._iterator, self._began, self._asked, self._counted = iterator, trained, asked, False
            self._epoch = getattr(self.sampler, "epoch", 0)
            return
        if trained == self._began:
            self.told["judged"] |= trained > 0 or asked > self._asked
            return
        self.told["fed"] = True
        if looped and not self._counted:
            self._counted = self.told["trained"] = True
            if type(self.sampler) is not DistributedSampler or not self.sampler.shuffle:
                return
            self.told["repeated"] = self.told["repeated"] or self._epoch in self._epochs
            self._epochs.add(self._epoch)
