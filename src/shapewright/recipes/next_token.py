"""An LSTM (or GRU) language model: predicts the next word or character of a text.

Batch-first and packed, so that no padding is ever trained on; inputs as an embedding or one-hot; a training and a
validation phase each epoch with loss and next-token accuracy; loss curves as a picture; a sample as input, target and
predicted words.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from shapewright.recipes.data import corpora
from shapewright.recipes.data.sequences import IGNORE, Sequences
from shapewright.recipes.data.vocabulary import Vocabulary
from shapewright.recipes.loop import hardware, phases, schedule, seeding, table
from shapewright.recipes.loop.curves import draw
from shapewright.recipes.loop.order import by_length
from shapewright.recipes.loop.run import Run
from shapewright.recipes.loop.sums import Sums
from shapewright.recipes.loop.update import gradient_norm, update
from shapewright.recipes.preflight import preflight
from shapewright.recipes.settings import CommonArgs, UsageError, resolve

name = "next-token"
COLUMNS = ("epoch", "train_loss", "train_accuracy", "test_loss", "test_accuracy", "test_perplexity")
JUDGED = 8
"""Training accuracy is taken at every so many steps: an argmax over the whole vocabulary at each would cost several
percent."""


@dataclass
class Args(CommonArgs):
    """An LSTM language model."""

    data: str = ""
    """Empty: generated sentences. python: the reference text of this Python installation. Otherwise a text, JSONL or
    CSV file, .gz allowed."""
    test: str = ""
    """File to evaluate on. Empty: the last tenth of the data."""
    field: str = "text"
    """Field of a JSONL or CSV file that contains the text."""
    unit: Literal["word", "character"] = "word"
    """What a token is: a word between spaces, or a character."""
    min_count: int = 1
    """Tokens that occur less often than this in the training text become the unknown token."""
    inputs: Literal["embedding", "one-hot"] = "embedding"
    """How a token is fed to the network."""
    cell: Literal["lstm", "gru"] = "lstm"
    """The recurrent network."""
    hidden: int = 128
    """Units of the recurrent network, and features of the embedding."""
    layers: int = 1
    """Recurrent layers."""
    dropout: float = 0.2
    """Share of the features dropped before and after the recurrent network."""
    tied: bool = False
    """Output layer and embedding share their weight."""
    longest: int = 128
    """Longer texts are cut into sequences of this many tokens."""
    epochs: int = 6
    """Passes over the training text."""
    batch_size: int = 32
    """Sequences per micro-batch and process."""
    lr: float = 4e-3
    """Peak learning rate of AdamW; it rises during the first tenth of the steps and then falls following a cosine."""
    weight_decay: float = 0.01
    """Decoupled weight decay."""
    clip: float = 1.0
    """Gradients with a larger norm are clipped to this norm."""
    log_every: int = 20
    """Steps between two recorded values of the training loss and the gradient norm."""
    plot: bool = True
    """Draw the loss curves into loss.png."""


class NextToken(nn.Module):
    """Token numbers to the next token's logits. Shape: (B, T) and lengths (B,) -> (B, T, V)"""

    def __init__(
        self,
        vocabulary: int,
        hidden: int = 128,
        layers: int = 1,
        cell: str = "lstm",
        inputs: str = "embedding",
        dropout: float = 0.2,
        tied: bool = False,
    ) -> None:
        super().__init__()
        self.vocabulary = vocabulary
        self.embedding = nn.Embedding(vocabulary, hidden) if inputs == "embedding" else None
        self.dropout = nn.Dropout(dropout)
        kind = {"lstm": nn.LSTM, "gru": nn.GRU}[cell]
        width = hidden if self.embedding is not None else vocabulary
        self.recurrent = kind(width, hidden, layers, batch_first=True, dropout=dropout if layers > 1 else 0.0)
        self.output = nn.Linear(hidden, vocabulary)
        if self.embedding is not None:
            nn.init.uniform_(self.embedding.weight, -0.1, 0.1)
        if tied:
            self.output.weight = self.embedding.weight
        nn.init.zeros_(self.output.bias)

    def forward(self, inputs_BT: Tensor, lengths_B: Tensor) -> Tensor:
        if self.embedding is not None:
            entering_BTE = self.dropout(self.embedding(inputs_BT))
        else:
            entering_BTE = functional.one_hot(inputs_BT, self.vocabulary).to(self.output.weight.dtype)
        packed = pack_padded_sequence(entering_BTE, lengths_B.cpu(), batch_first=True, enforce_sorted=False)
        packed, _ = self.recurrent(packed)
        hidden_BTH, _ = pad_packed_sequence(packed, batch_first=True, total_length=inputs_BT.shape[1])
        return self.output(self.dropout(hidden_BTH))


def cross_entropy(logits_BTV: Tensor, targets_BT: Tensor, reduction: str) -> Tensor:
    """Over the tokens that there are; padding counts nothing."""
    return functional.cross_entropy(
        logits_BTV.flatten(0, 1), targets_BT.flatten(), ignore_index=IGNORE, reduction=reduction
    )


def step(model: nn.Module, batch: tuple[Tensor, Tensor, Tensor]) -> tuple[Tensor, Tensor]:
    """Mean loss and logits of one batch, for the preflight."""
    inputs_BT, targets_BT, lengths_B = batch
    logits_BTV = model(inputs_BT, lengths_B)
    return cross_entropy(logits_BTV, targets_BT, "mean"), logits_BTV


def correct(logits_BTV: Tensor, targets_BT: Tensor) -> Tensor:
    """How many tokens the model would have guessed. Shape: ()"""
    return (logits_BTV.detach().argmax(-1) == targets_BT).sum()


def evaluate(model: nn.Module, test: Sequences, run: Run, batch_size: int) -> dict[str, float]:
    """Loss per token, accuracy and perplexity, over all processes; sequences of like length go together."""
    sums = Sums()
    longest_first = test.lengths.argsort(descending=True, stable=True)
    with phases.evaluation(model):
        for index_B in run.shard(longest_first).split(batch_size):
            inputs_BT, targets_BT, lengths_B = test.batch(index_B)
            logits_BTV = model(inputs_BT, lengths_B)
            sums.add(
                loss=cross_entropy(logits_BTV, targets_BT, "sum"),
                correct=correct(logits_BTV, targets_BT),
                count=int(lengths_B.sum()),
            )
    total, train = sums.reduced(run.accelerator), run.sums.reduced(run.accelerator)
    loss = total["loss"] / total["count"]
    return {
        "train_loss": train["loss"] / train["count"],
        "train_accuracy": train["correct"] / train["judged"],
        "test_loss": loss,
        "test_accuracy": total["correct"] / total["count"],
        "test_perplexity": math.exp(min(loss, 700)),
    }


def show_sample(model: nn.Module, test: Sequences, vocabulary: Vocabulary, count: int = 3, most: int = 12) -> str:
    """Print some test sequences as input, target and predicted words; returns the same as Markdown."""
    inputs_BT, targets_BT, lengths_B = test.batch(torch.arange(min(count, len(test))))
    with phases.evaluation(model):
        predicted_BT = model(inputs_BT, lengths_B).argmax(-1)
    rows = []
    for number, length in enumerate(lengths_B.tolist()):
        keep = slice(0, min(length, most))
        rows.append([vocabulary.decode(part[number, keep].tolist()) for part in (inputs_BT, targets_BT, predicted_BT)])
    lines = [(label, row[column]) for row in rows for column, label in enumerate(("input", "target", "predicted"))]
    table.show("a sample of the test text", ("", "tokens"), lines)
    return "\n\n".join(
        "  \n".join(f"**{label}** {row[column]}" for column, label in enumerate(("input", "target", "predicted")))
        for row in rows
    )


def train(
    args: Args | None = None, *, hparams: Mapping[str, Any] | None = None, log_dir: str | Path | None = None
) -> dict[str, float]:
    """Train as `args` says, `hparams` and `log_dir` put over it; returns the last evaluation's metrics."""
    args = resolve(Args, args, name=name, hparams=hparams, log_dir=log_dir)
    accelerator = hardware.accelerator(args)
    seeding.seed_everything(args.seed)
    corpus = corpora.load(args.data, args.test, args.field)
    vocabulary = Vocabulary.of(corpus.train, args.unit, args.min_count)
    if args.inputs == "one-hot" and (args.tied or len(vocabulary) > 5000):
        why = (
            "there is no embedding to tie"
            if args.tied
            else f"{len(vocabulary):,} tokens make inputs too wide; raise --min-count"
        )
        raise UsageError(f"--inputs one-hot: {why}")
    texts = Sequences.of(corpus.train, vocabulary, args.longest).to(accelerator.device)
    test = Sequences.of(corpus.test, vocabulary, args.longest).to(accelerator.device)

    model = NextToken(len(vocabulary), args.hidden, args.layers, args.cell, args.inputs, args.dropout, args.tied).to(
        accelerator.device
    )
    tokens = int(texts.lengths.sum())
    accelerator.print(
        f"{name} on {corpus.source}: {tokens:,} {args.unit}s in {len(texts):,} sequences, {len(vocabulary):,} of them "
        f"different"
    )
    if args.preflight:
        accelerator.print(preflight(model, step, texts.batch(torch.arange(min(args.batch_size, len(texts))))).line)

    plain = model
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=args.weight_decay, fused=True)
    order_size = args.batch_size * args.accumulate * accelerator.num_processes
    steps = max(1, args.epochs * -(-len(texts) // order_size))
    scheduler = schedule.cosine(optimizer, steps, warmup=0.1)
    model, optimizer = hardware.prepared(accelerator, model, optimizer)
    run = Run(
        name,
        args,
        accelerator,
        modules={"model": model},
        optimizers={"optimizer": optimizer},
        stateful={"scheduler": scheduler},
        best="test_loss",
    )
    order = run.order(len(texts), args.batch_size, grouping=by_length(texts.lengths, order_size, args.seed))

    def loss_sum(index_B: Tensor) -> Tensor:
        inputs_BT, targets_BT, lengths_B = texts.batch(index_B)
        logits_BTV = model(inputs_BT, lengths_B)
        loss = cross_entropy(logits_BTV, targets_BT, "sum")
        run.sums.add(loss=loss, count=int(lengths_B.sum()))
        if run.state.batch % JUDGED == 0:
            run.sums.add(correct=correct(logits_BTV, targets_BT), judged=int(lengths_B.sum()))
        return loss

    with run:
        while run.goes_on(args.epochs):
            for batch in run.batches(order):
                update(
                    accelerator,
                    model,
                    optimizer,
                    batch.pieces,
                    loss_sum,
                    int(texts.lengths[batch.whole].sum()),
                    share=batch.share,
                    clip=args.clip,
                )
                scheduler.step()
                if run.board and run.number % args.log_every == 0:
                    run.board.scalars(
                        {"train/loss so far": run.sums.mean("loss"), "gradient norm": gradient_norm(model)}, run.number
                    )
            metrics = evaluate(model, test, run, args.batch_size)
            run.board.scalars(
                {
                    **{key.replace("_", "/", 1): value for key, value in metrics.items()},
                    "lr": scheduler.get_last_lr()[0],
                },
                run.state.step,
            )
            run.board.histograms(plain, run.state.step)
            run.end_epoch(metrics)
            if not run.goes_on(args.epochs):
                settings = {
                    key: getattr(args, key)
                    for key in ("batch_size", "lr", "hidden", "layers", "cell", "inputs", "dropout", "tied")
                }
                run.board.hparams(settings, {key: metrics[key] for key in ("test_loss", "test_accuracy")})
        if accelerator.is_main_process:
            run.board.text("sample", show_sample(plain, test, vocabulary), run.state.step)
            if args.plot:
                draw(
                    run.state.history,
                    {"training": "train_loss", "validation": "test_loss"},
                    run.folder / "loss.png",
                    "loss per token",
                )
            if corpus.floor:
                print(f"the best possible test perplexity here is {corpus.floor:.4f}: the grammar's own")
        return run.finish(COLUMNS)


if __name__ == "__main__":
    from shapewright.commands.train import run_module

    raise SystemExit(run_module(name))
