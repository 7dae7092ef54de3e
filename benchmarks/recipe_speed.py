"""Claim: recipes train at the speed of a bare loop written by hand (>= 0.95), and faster than Trainer and Lightning (>=
1.2).

    python benchmarks/recipe_speed.py digits|next-token|text [--rounds 3] [--threads 2]

The contestants run the same samples through the same model and the same fused optimiser, in turns, in one process; each
number is the median over
the rounds of training samples per second of processor time and of wall time. Evaluation, checkpoints and event files
are off for all. The bare loop keeps
no metrics, shows nothing and saves nothing; it has the recipe's memory layout and, for next-token, its batches by
length. Trainer and Lightning draw random
batches through a DataLoader, as their users have it; for digits they run in torch's default memory layout and, a second
time, in the recipe's (channels last).
"""

import argparse
import logging
import statistics
import tempfile
import time
import warnings

import torch
from torch.nn import functional
from torch.utils.data import DataLoader, TensorDataset

from shapewright.recipes.loop.run import Run

QUICK = {"device": "cpu", "board": False, "preflight": False, "progress": False, "save_every": 0, "epochs": 1}


class Clock:
    """Wall and processor seconds between `start` and `stop`."""

    def start(self):
        self.wall, self.processor = time.perf_counter(), time.process_time()

    def stop(self):
        self.wall, self.processor = time.perf_counter() - self.wall, time.process_time() - self.processor


def recipe_clock(train, hparams):
    """Time the training phase of a recipe on `Run`: from the first batch asked for to the end of the epoch."""
    clock, former = Clock(), Run.batches

    def timed(self, order, label=""):
        clock.start()
        yield from former(self, order, label)
        clock.stop()

    Run.batches = timed
    try:
        with tempfile.TemporaryDirectory() as folder:
            train(hparams={**QUICK, **hparams}, log_dir=folder)
    finally:
        Run.batches = former
    return clock


def hf_clock(model, dataset, collate, batch, optimizer, *, columns):
    """Time Hugging Face's Trainer on its default loader."""
    from transformers import PrinterCallback, Trainer, TrainerCallback, TrainingArguments

    clock = Clock()

    class Timer(TrainerCallback):
        def on_epoch_begin(self, *_, **__):
            clock.start()

        def on_epoch_end(self, *_, **__):
            clock.stop()

    with tempfile.TemporaryDirectory() as folder:
        settings = TrainingArguments(
            folder,
            num_train_epochs=1,
            per_device_train_batch_size=batch,
            use_cpu=True,
            report_to="none",
            disable_tqdm=True,
            save_strategy="no",
            remove_unused_columns=columns,
            dataloader_pin_memory=False,
        )
        schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1.0)
        trainer = Trainer(
            model=model,
            args=settings,
            train_dataset=dataset,
            data_collator=collate,
            callbacks=[Timer()],
            optimizers=(optimizer, schedule),
        )
        trainer.remove_callback(PrinterCallback)
        trainer.train()
    return clock


def lightning_clock(model, loader, loss_of, make_optimizer):
    """Time Lightning's Trainer."""
    import lightning

    clock = Clock()

    class Module(lightning.LightningModule):
        def __init__(self):
            super().__init__()
            self.model = model

        def training_step(self, batch, _):
            return loss_of(self.model, batch)

        def configure_optimizers(self):
            return make_optimizer(self.model)

        def on_train_epoch_start(self):
            clock.start()

        def on_train_epoch_end(self):
            clock.stop()

    options = {
        "enable_progress_bar": False,
        "enable_model_summary": False,
        "enable_checkpointing": False,
        "logger": False,
    }
    lightning.Trainer(max_epochs=1, accelerator="cpu", **options).fit(Module(), loader)
    return clock


def digits_contest():
    from shapewright.recipes import digits
    from shapewright.recipes.data import pictures

    data = pictures.load("")
    images, labels = data.normalised(data.train_images).repeat(2, 1, 1, 1), data.train_labels.repeat(2)
    batch = 64

    def model(layout=torch.channels_last):
        return digits.DigitNet(dropout=0.25).to(memory_format=layout)

    def make(net):
        return torch.optim.AdamW(net.parameters(), lr=2e-3, fused=True)

    def ours():
        former = pictures.load
        pictures.load = lambda *_, **__: data.__class__(
            data.train_images.repeat(2, 1, 1, 1),
            labels,
            data.test_images[:8],
            data.test_labels[:8],
            data.classes,
            "benchmark",
            data.mean,
            data.std,
        )
        try:
            return recipe_clock(digits.train, {"shift": 0, "batch_size": batch})
        finally:
            pictures.load = former

    def bare():
        net, clock = model(), Clock()
        optimizer = make(net)
        net.train()
        clock.start()
        for index in torch.randperm(len(labels)).split(batch):
            optimizer.zero_grad()
            functional.cross_entropy(net(images[index]), labels[index]).backward()
            optimizer.step()
        clock.stop()
        return clock

    class Wrapped(torch.nn.Module):
        def __init__(self, layout):
            super().__init__()
            self.net = model(layout)

        def forward(self, images, labels):
            logits = self.net(images)
            return {"loss": functional.cross_entropy(logits, labels), "logits": logits}

    def trainer(layout=torch.contiguous_format):
        net = Wrapped(layout)
        return hf_clock(
            net,
            TensorDataset(images, labels),
            lambda rows: {
                "images": torch.stack([row[0] for row in rows]),
                "labels": torch.stack([row[1] for row in rows]),
            },
            batch,
            make(net),
            columns=False,
        )

    def lightning(layout=torch.contiguous_format):
        return lightning_clock(
            model(layout),
            DataLoader(TensorDataset(images, labels), batch, shuffle=True),
            lambda net, rows: functional.cross_entropy(net(rows[0]), rows[1]),
            make,
        )

    contestants = {"recipe": ours, "bare loop": bare, "Trainer": trainer, "Lightning": lightning}
    return len(labels), {
        **contestants,
        "Trainer, c.l.": lambda: trainer(torch.channels_last),
        "Lightning, c.l.": lambda: lightning(torch.channels_last),
    }


def next_token_contest():
    from shapewright.recipes import next_token
    from shapewright.recipes.data import corpora
    from shapewright.recipes.data.sequences import IGNORE, Sequences
    from shapewright.recipes.data.vocabulary import Vocabulary
    from shapewright.recipes.loop.order import Order, by_length

    full = corpora.load("python")
    corpus = corpora.Corpus(full.train[:480], full.train[:4], "benchmark")
    vocabulary = Vocabulary.of(corpus.train, "word", 2)
    data, batch = Sequences.of(corpus.train, vocabulary, 128), 32

    def model():
        return next_token.NextToken(len(vocabulary))

    def make(net):
        return torch.optim.AdamW(net.parameters(), lr=4e-3, weight_decay=0.01, fused=True)

    def ours():
        former = corpora.load
        corpora.load = lambda *_, **__: corpus
        try:
            return recipe_clock(next_token.train, {"min_count": 2, "batch_size": batch, "plot": False})
        finally:
            corpora.load = former

    def bare():
        net, clock = model(), Clock()
        optimizer = make(net)
        order = Order(len(data), batch, grouping=by_length(data.lengths, batch))
        clock.start()
        for part in order.epoch(0):
            inputs, targets, lengths = data.batch(part.index)
            optimizer.zero_grad()
            functional.cross_entropy(
                net(inputs, lengths).flatten(0, 1), targets.flatten(), ignore_index=IGNORE
            ).backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
        clock.stop()
        return clock

    rows = [
        data.tokens[start : start + length + 1] for start, length in zip(data.starts.tolist(), data.lengths.tolist())
    ]

    def collate(samples):
        lengths = torch.tensor([len(row) - 1 for row in samples])
        inputs = torch.nn.utils.rnn.pad_sequence([row[:-1] for row in samples], batch_first=True)
        targets = torch.nn.utils.rnn.pad_sequence([row[1:] for row in samples], batch_first=True, padding_value=IGNORE)
        return {"inputs": inputs, "targets": targets, "lengths": lengths}

    def loss_of(net, parts):
        return functional.cross_entropy(
            net(parts["inputs"], parts["lengths"]).flatten(0, 1), parts["targets"].flatten(), ignore_index=IGNORE
        )

    class Wrapped(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.net = model()

        def forward(self, inputs, targets, lengths):
            return {"loss": loss_of(self.net, {"inputs": inputs, "targets": targets, "lengths": lengths})}

    def trainer():
        net = Wrapped()
        return hf_clock(net, rows, collate, batch, make(net), columns=False)

    def lightning():
        return lightning_clock(model(), DataLoader(rows, batch, shuffle=True, collate_fn=collate), loss_of, make)

    return len(data), {"recipe": ours, "bare loop": bare, "Trainer": trainer, "Lightning": lightning}


def text_contest():
    from transformers import DataCollatorWithPadding

    from shapewright.recipes import text
    from shapewright.recipes.data import labelled_texts
    from shapewright.recipes.loop import hf_trainer

    full = labelled_texts.load()
    data = labelled_texts.LabelledTexts(
        full.train[:960], full.train_labels[:960], full.test[:8], full.test_labels[:8], full.classes, "benchmark"
    )
    args, batch = text.Args(), 32
    _, tokenizer = text.build(args, data)
    samples, _ = text.encoded(tokenizer, data.train, data.train_labels, args.longest)
    collate = DataCollatorWithPadding(tokenizer)

    def model():
        return text.build(args, data)[0].train()

    def make(net):
        return torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=0.01, fused=True)

    def ours():
        clock, former_load, begin, end = (
            Clock(),
            labelled_texts.load,
            hf_trainer.Watch.on_epoch_begin,
            hf_trainer.Watch.on_epoch_end,
        )

        def started(self, *args, **rest):
            begin(self, *args, **rest)
            clock.start()

        def ended(self, *args, **rest):
            clock.stop()
            end(self, *args, **rest)

        labelled_texts.load, hf_trainer.Watch.on_epoch_begin, hf_trainer.Watch.on_epoch_end = (
            (lambda *_: data),
            started,
            ended,
        )
        try:
            with tempfile.TemporaryDirectory() as folder:
                text.train(hparams={**QUICK, "batch_size": batch}, log_dir=folder)
        finally:
            labelled_texts.load, hf_trainer.Watch.on_epoch_begin, hf_trainer.Watch.on_epoch_end = (
                former_load,
                begin,
                end,
            )
        return clock

    def bare():
        net, clock = model(), Clock()
        optimizer = make(net)
        clock.start()
        for index in torch.randperm(len(samples)).split(batch):
            optimizer.zero_grad()
            net(**collate([samples[place] for place in index.tolist()])).loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
        clock.stop()
        return clock

    def trainer():
        net = model()
        return hf_clock(net, samples, collate, batch, make(net), columns=True)

    def lightning():
        return lightning_clock(
            model(),
            DataLoader(samples, batch, shuffle=True, collate_fn=collate),
            lambda net, parts: net(**parts).loss,
            make,
        )

    return len(samples), {"recipe": ours, "bare loop": bare, "Trainer": trainer, "Lightning": lightning}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recipe", choices=("digits", "next-token", "text"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=0, help="0 leaves torch's own number")
    args = parser.parse_args()
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    if args.threads:
        torch.set_num_threads(args.threads)
    samples, contestants = {"digits": digits_contest, "next-token": next_token_contest, "text": text_contest}[
        args.recipe
    ]()
    seconds = {name: ([], []) for name in contestants}
    for number in range(args.rounds + 1):
        for name, run in contestants.items():
            clock = run()
            if number:  # the first round warms up
                seconds[name][0].append(clock.wall)
                seconds[name][1].append(clock.processor)
    medians = {name: tuple(map(statistics.median, pair)) for name, pair in seconds.items()}
    print(f"\n{args.recipe}: {samples} samples, {args.rounds} rounds, {torch.get_num_threads()} threads")
    print(f"{'':16}{'samples/s':>12}{'per cpu s':>12}{'recipe is (wall)':>18}{'(cpu)':>8}")
    for name, (wall, processor) in medians.items():
        print(
            f"{name:16}{samples / wall:12.0f}{samples / processor:12.0f}"
            f"{wall / medians['recipe'][0]:17.2f}x{processor / medians['recipe'][1]:7.2f}x"
        )


if __name__ == "__main__":
    main()
