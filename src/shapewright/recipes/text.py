"""A text classifier with Hugging Face's Trainer: DistilBERT, padded dynamically.

Offline it builds a small DistilBERT from a configuration and a tokenizer from the texts; `--model
distilbert-base-uncased` fine-tunes the published one. Texts of like length go together, so padding costs little; mixed
precision where the device has it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn
from transformers import (
    AutoModelForSequenceClassification,
    AutoTokenizer,
    DataCollatorWithPadding,
    DistilBertConfig,
    DistilBertForSequenceClassification,
    PreTrainedTokenizerBase,
    TrainingArguments,
)
from transformers.utils import logging as hf_logging

from shapewright.recipes.data import labelled_texts
from shapewright.recipes.data.word_pieces import small_tokenizer
from shapewright.recipes.loop import checkpoint, hardware, seeding, sharding, table, tracker
from shapewright.recipes.loop.board import Board
from shapewright.recipes.loop.early_stopping import EarlyStopping
from shapewright.recipes.loop.hf_trainer import OrderedTrainer, Watch, newest
from shapewright.recipes.loop.interrupt import Interrupted
from shapewright.recipes.loop.order import Order, by_length
from shapewright.recipes.loop.progress import Progress
from shapewright.recipes.loop.run import Diverged
from shapewright.recipes.loop.state import same_run
from shapewright.recipes.preflight import preflight
from shapewright.recipes.settings import CommonArgs, UsageError, as_toml, plain, resolve

name = "text"
COLUMNS = ("epoch", "train_loss", "test_loss", "test_accuracy")


@dataclass
class Args(CommonArgs):
    """A text classifier on DistilBERT."""

    data: str = ""
    """Empty: generated reviews. Otherwise a JSONL, CSV or TSV file, .gz allowed."""
    test: str = ""
    """File to evaluate on. Empty: the last fifth of the data."""
    field: str = "text"
    """Field that contains the text."""
    label: str = "label"
    """Field that contains the class: text or an integer."""
    model: str = ""
    """Empty: a small DistilBERT with random weights. Otherwise a model of the hub, such as distilbert-base-uncased, or
    a folder."""
    hidden: int = 128
    """Features of the small model."""
    layers: int = 2
    """Layers of the small model."""
    dropout: float = 0.1
    """Dropout of the small model."""
    longest: int = 128
    """Longer texts are cut to this many tokens; the number of cut texts is reported."""
    epochs: int = 6
    """Passes over the training texts."""
    batch_size: int = 32
    """Texts per micro-batch and process."""
    lr: float = 0.0
    """Peak learning rate; 0 means 1e-3 for the small model and 5e-5 for a published one."""
    weight_decay: float = 0.01
    """Decoupled weight decay."""
    clip: float = 1.0
    """Gradients with a larger norm are clipped to this norm."""
    gradient_checkpointing: bool = False
    """Compute activations again in the backward pass, to save memory."""
    shard: bool = False
    """Divide weights, gradients and optimizer state among torchrun's processes (PyTorch's fully_shard); no effect with
    one process."""
    log_every: int = 25
    """Steps between two recorded values of the training loss."""


def build(
    args: Args, data: labelled_texts.LabelledTexts, kept: Path | None = None
) -> tuple[nn.Module, PreTrainedTokenizerBase]:
    """The model and its tokenizer; `kept` is the folder of the tokenizer of the run that goes on."""
    names = {
        "id2label": dict(enumerate(data.classes)),
        "label2id": {name: number for number, name in enumerate(data.classes)},
    }
    if args.model:
        try:
            tokenizer = AutoTokenizer.from_pretrained(args.model)
            return AutoModelForSequenceClassification.from_pretrained(
                args.model, num_labels=len(data.classes), **names
            ), tokenizer
        except (OSError, ValueError) as error:
            raise UsageError(
                f"the model {args.model!r} is neither a folder nor in the cache, and the hub cannot give it: "
                f"{str(error).splitlines()[0]}"
            ) from error
    tokenizer = AutoTokenizer.from_pretrained(kept) if kept else small_tokenizer(data.train)
    config = DistilBertConfig(
        vocab_size=len(tokenizer),
        dim=args.hidden,
        n_layers=args.layers,
        n_heads=max(1, args.hidden // 32),
        hidden_dim=4 * args.hidden,
        max_position_embeddings=args.longest,
        dropout=args.dropout,
        attention_dropout=args.dropout,
        seq_classif_dropout=args.dropout,
        pad_token_id=tokenizer.pad_token_id,
        num_labels=len(data.classes),
        **names,
    )
    return DistilBertForSequenceClassification(config), tokenizer


def encoded(
    tokenizer: PreTrainedTokenizerBase, texts: list[str], labels: list[int], longest: int
) -> tuple[list[dict[str, Any]], int]:
    """Samples as the collator wants them, without padding; and how many texts were cut."""
    numbers = tokenizer(texts, truncation=False)
    cut = sum(len(row) > longest for row in numbers["input_ids"])
    if cut:
        numbers = tokenizer(texts, truncation=True, max_length=longest)
    return [
        {**{key: values[place] for key, values in numbers.items()}, "labels": labels[place]}
        for place in range(len(texts))
    ], cut


def step(model: nn.Module, batch: dict[str, torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
    """Loss and logits of one batch, for the preflight."""
    output = model(**batch)
    return output.loss, output.logits


def mean_loss(output: Any, label_B: torch.Tensor, num_items_in_batch: torch.Tensor | int | None = None) -> torch.Tensor:
    """This micro-batch's share of the mean loss over the whole step's texts, in all processes. The model's own mean
    ignores that number, and `Trainer`, which takes it to have divided by it, would add up the micro-batches' means and
    the processes'. Shape: logits (texts, classes), label_B (texts,) -> ()"""
    total = torch.nn.functional.cross_entropy(output["logits"].float(), label_B, reduction="sum")
    return total / (len(label_B) if num_items_in_batch is None else num_items_in_batch)


def accuracy(prediction: Any) -> dict[str, float]:
    """Over all evaluated texts at once. Shape: logits (texts, classes), labels (texts,)"""
    return {"accuracy": float((prediction.predictions.argmax(-1) == prediction.label_ids).mean())}


def stands(args: Args, folder: Path, processes: int) -> tuple[Path | None, list[dict[str, float]]]:
    """The checkpoint to go on from, and the epochs before it."""
    settings, last = folder / "state.json", newest(folder) if folder.is_dir() else None
    if not args.resume:
        for path in folder.glob("checkpoint-*"):
            (path / checkpoint.WHOLE).unlink(missing_ok=True)
        newest(folder) if folder.is_dir() else None
        return None, []
    if last is None or not settings.exists():
        return None, []
    saved = json.loads(settings.read_text())
    if not same_run(folder, name, saved, args, processes):
        raise UsageError(
            f"{folder} was saved by {saved['processes']} process(es) and cannot go on with {processes} unless "
            f"--batch-size times --accumulate makes the same step"
        )
    log = json.loads((last / "trainer_state.json").read_text())["log_history"]
    history, loss = [], 0.0
    for entry in log:
        loss = entry.get("loss", loss)
        if "eval_accuracy" in entry:
            history.append(
                {
                    "epoch": round(entry["epoch"]),
                    "step": entry["step"],
                    "train_loss": loss,
                    "test_loss": entry["eval_loss"],
                    "test_accuracy": entry["eval_accuracy"],
                }
            )
    return last, history


def train(
    args: Args | None = None, *, hparams: Mapping[str, Any] | None = None, log_dir: str | Path | None = None
) -> dict[str, float]:
    """Train as `args` says, `hparams` and `log_dir` put over it; returns the last evaluation's metrics."""
    args = resolve(Args, args, name=name, hparams=hparams, log_dir=log_dir)
    accelerator = hardware.accelerator(args)
    hf_logging.set_verbosity_error()
    hf_logging.disable_progress_bar()
    seeding.seed_everything(args.seed)
    data = labelled_texts.load(args.data, args.test, args.field, args.label)
    folder = Path(args.log_dir)
    last, history = stands(args, folder, accelerator.num_processes)
    model, tokenizer = build(args, data, last)
    if args.gradient_checkpointing:
        model.gradient_checkpointing_enable()
    train_set, cut = encoded(tokenizer, data.train, data.train_labels, args.longest)
    test_set, _ = encoded(tokenizer, data.test, data.test_labels, args.longest)
    collator = DataCollatorWithPadding(tokenizer)
    accelerator.print(
        f"{name} on {data.source}: {len(train_set):,} to train, {len(test_set):,} to test, classes "
        f"{', '.join(data.classes)}" + (f"; {cut:,} texts cut to {args.longest} tokens" if cut else "")
    )
    if args.preflight:
        accelerator.print(
            preflight(
                model, step, dict(collator(train_set[: args.batch_size])), excuse_idle=("distilbert.pooler",)
            ).line
        )

    empty = None
    if sharding.asked(args.shard, accelerator):
        empty = sharding.twin(model)
        units = sharding.blocks(model)
        sharding.shard(model.to(accelerator.device), units, accelerator)
        accelerator.print(sharding.line(model, units, accelerator.num_processes))
    if accelerator.is_main_process:
        checkpoint.replace(folder / "config.toml", as_toml(args).encode())
        state = {"recipe": name, "args": plain(args), "processes": accelerator.num_processes}
        checkpoint.replace(folder / "state.json", json.dumps(state, indent=1).encode())
    lengths = torch.tensor([len(sample["input_ids"]) for sample in train_set])
    step_size = args.batch_size * args.accumulate * accelerator.num_processes
    settings = TrainingArguments(
        output_dir=str(folder),
        seed=args.seed,
        num_train_epochs=args.epochs,
        per_device_train_batch_size=args.batch_size,
        per_device_eval_batch_size=4 * args.batch_size,
        learning_rate=args.lr or (5e-5 if args.model else 1e-3),
        weight_decay=args.weight_decay,
        max_grad_norm=args.clip,
        lr_scheduler_type="cosine",
        warmup_steps=max(1, args.epochs * len(train_set) // step_size // 10),
        gradient_accumulation_steps=args.accumulate,
        bf16=accelerator.mixed_precision == "bf16",
        fp16=accelerator.mixed_precision == "fp16",
        use_cpu=accelerator.device.type == "cpu",
        logging_steps=args.log_every,
        logging_nan_inf_filter=False,
        eval_strategy="epoch",
        save_strategy="no",
        optim="adamw_torch_fused",
        report_to="none",
        disable_tqdm=True,
        dataloader_pin_memory=False,
    )
    board = Board(
        folder,
        enabled=args.board and accelerator.is_main_process,
        purge_step=int(last.name.rpartition("-")[2]) + 1 if last else 0,
        tracker=tracker.begun(args, name) if accelerator.is_main_process else None,
    )
    watch = Watch(
        folder,
        board,
        Progress(enabled=args.progress and accelerator.is_main_process),
        EarlyStopping(args.patience, "max"),
        save_every=args.save_every,
        history=history,
    )
    order = Order(len(train_set), args.batch_size, args.seed, grouping=by_length(lengths, step_size, args.seed))
    trainer = OrderedTrainer(
        model=model,
        args=settings,
        order=order,
        data_collator=collator,
        train_dataset=train_set,
        eval_dataset=test_set,
        processing_class=tokenizer,
        compute_loss_func=mean_loss,
        compute_metrics=accuracy,
        callbacks=[watch],
    )
    quiet(trainer)
    if last:
        accelerator.print(f"continues {folder} from {last.name}")
    with watch.interrupts:
        if not history or (history[-1]["epoch"] < args.epochs and not watch.stopping.done):
            trainer.train(resume_from_checkpoint=str(last) if last else None)
    watch.progress.close()
    if watch.diverged:
        raise Diverged(watch.diverged)
    if watch.ended == "asked":
        raise Interrupted(
            f"stopped after step {trainer.state.global_step}; saved in {folder}. The same command goes on from there"
        )
    metrics = history[-1]
    if accelerator.is_main_process:
        board.hparams(
            {
                "batch_size": args.batch_size,
                "lr": settings.learning_rate,
                "dropout": args.dropout,
                "layers": args.layers,
            },
            {key: metrics[key] for key in ("test_loss", "test_accuracy")},
        )
        board.close()
        best = checkpoint.load_weights(folder / "best.safetensors")
        finished = empty if empty is not None else accelerator.unwrap_model(trainer.model)
        checkpoint.fit(finished, best, folder / "best.safetensors")
        finished.save_pretrained(folder / "model")
        tokenizer.save_pretrained(folder / "model")
        note = (
            f"{hardware.stamp()}\n{metrics['step']:,} steps · {folder} · model/ loads with "
            f"AutoModelForSequenceClassification" + (f"\nstopped early: {watch.ended}" if watch.ended else "")
        )
        table.show(f"{name}: result", COLUMNS, [tuple(row[column] for column in COLUMNS) for row in history], note=note)
    return dict(metrics)


def quiet(trainer: OrderedTrainer) -> None:
    """Take out the callback that prints every log entry; `Watch` shows them."""
    from transformers.trainer_callback import PrinterCallback

    trainer.remove_callback(PrinterCallback)


if __name__ == "__main__":
    from shapewright.commands.train import run_module

    raise SystemExit(run_module(name))
