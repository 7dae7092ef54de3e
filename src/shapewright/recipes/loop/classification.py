"""What every picture classifier here does alike: the loss of a batch, the evaluation, the names of its metrics."""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor, nn
from torch.nn import functional

from .phases import evaluation
from .run import Run
from .sums import Sums

COLUMNS = ("epoch", "train_loss", "train_accuracy", "test_loss", "test_accuracy")


def step(model: nn.Module, batch: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
    """Mean loss and logits of one batch, for the preflight. Shape: pictures (B, ...), labels (B,) -> () and (B,
    classes)"""
    images_BCHW, labels_B = batch
    logits_BK = model(images_BCHW)
    return functional.cross_entropy(logits_BK, labels_B), logits_BK


def loss_sum(run: Run, logits_BK: Tensor, labels_B: Tensor) -> Tensor:
    """Summed cross-entropy of a training batch; counts loss and correct answers into the run's sums. Shape: ()"""
    loss = functional.cross_entropy(logits_BK, labels_B, reduction="sum")
    run.sums.add(loss=loss, correct=(logits_BK.detach().argmax(1) == labels_B).sum(), count=len(labels_B))
    return loss


def evaluate(
    run: Run,
    model: nn.Module,
    images_NCHW: Tensor,
    labels_N: Tensor,
    *,
    view: Callable[[Tensor], Tensor] = lambda images: images,
    batch_size: int = 1000,
) -> dict[str, float]:
    """The epoch's metrics: the training phase's from the run's sums, the test phase's from a pass over the test set,
    per sample and over all processes.

    `view` prepares a batch of pictures for the model (a crop, say).
    """
    sums = Sums()
    with evaluation(model):
        for images_BCHW, labels_B in zip(
            run.shard(images_NCHW).split(batch_size), run.shard(labels_N).split(batch_size)
        ):
            logits_BK = model(view(images_BCHW))
            sums.add(
                loss=functional.cross_entropy(logits_BK, labels_B, reduction="sum"),
                correct=(logits_BK.argmax(1) == labels_B).sum(),
                count=len(labels_B),
            )
    train, test = run.sums.reduced(run.accelerator), sums.reduced(run.accelerator)
    return {
        "train_loss": train["loss"] / train["count"],
        "train_accuracy": train["correct"] / train["count"],
        "test_loss": test["loss"] / test["count"],
        "test_accuracy": test["correct"] / test["count"],
    }


def scalars(metrics: dict[str, float]) -> dict[str, float]:
    """The metrics as TensorBoard tags: `train_loss` is `train/loss`."""
    return {key.replace("_", "/", 1): value for key, value in metrics.items()}
