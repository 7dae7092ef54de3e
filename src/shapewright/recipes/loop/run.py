"""One run of a recipe: its folder, where it stands, its checkpoints, its progress.

The recipe writes its own loop and asks the run for the batches; the run counts, saves, resumes and answers Ctrl-C. It
never calls the model, knows no loss and is no base class.

    run = Run("digits", args, accelerator, modules={"model": model}, optimizers={"optimizer": optimizer},
    best="test_accuracy", mode="max")
    order = run.order(len(labels), args.batch_size)
    with run:
        while run.goes_on(args.epochs):
            for batch in run.batches(order):
                ...                                    # forward, backward, step; run.sums.add(loss=..., count=...)
            run.end_epoch({"test_accuracy": ...})

Files in the folder: `last.safetensors` (weights, optimiser, generators, position: what resuming needs),
`best.safetensors` (the weights of the best evaluation, under their own names), `config.toml` (the settings, for
`--config`), `state.json` (the same position for people to read), TensorBoard's event files.
"""

from __future__ import annotations

import json
import math
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import torch
from accelerate import Accelerator
from accelerate.utils import gather_object
from torch import nn

from ..settings import CommonArgs, UsageError, as_toml, plain
from . import checkpoint, hardware, processes, seeding, sharding, table, tracker
from .board import Board
from .early_stopping import EarlyStopping
from .interrupt import Interrupted, Interrupts
from .order import Batch, Order, Shares
from .progress import Progress
from .state import State, same_run
from .sums import Sums


class Diverged(Exception):
    """The loss or the weights are no longer finite; the last checkpoint from before that is kept."""


class Run:
    """See the module's text.

    Args:
        name: the recipe's name.
        modules, optimizers: what is trained, by name, as `hardware.prepared` returned it.
        stateful: anything else with `state_dict` of JSON values and `load_state_dict`: schedulers, controllers.
        best: the metric that decides which checkpoint is the best, smallest or largest as `mode` says.
        eligible: whether an evaluation's metrics may be the best at all; by default all may.
        asks_every: so many steps lie between two questions of several processes whether one of them was asked to stop;
        1 where steps are long.

    Raises `UsageError` where the folder holds a run of other settings, `CheckpointError` where its file is unreadable
    or of another model.
    """

    def __init__(
        self,
        name: str,
        args: CommonArgs,
        accelerator: Accelerator,
        *,
        modules: Mapping[str, nn.Module],
        optimizers: Mapping[str, torch.optim.Optimizer],
        stateful: Mapping[str, Any] | None = None,
        best: str = "test_loss",
        mode: Literal["min", "max"] = "min",
        eligible: Callable[[Mapping[str, float]], bool] = lambda metrics: True,
        asks_every: int = 10,
    ) -> None:
        self.name, self.args, self.accelerator, self.best, self.eligible = name, args, accelerator, best, eligible
        self.modules, self.optimizers, self.stateful = dict(modules), dict(optimizers), dict(stateful or {})
        self.folder = Path(args.log_dir)
        self.main = accelerator.is_main_process
        self.state, self.sums = State(), Sums()
        self.stopping = EarlyStopping(args.patience, mode)
        self.shards = bool(getattr(args, "shard", False))  # of the recipes that can
        self.interrupts, self.asks_every = Interrupts(), asks_every
        self.progress = Progress(enabled=args.progress and self.main)
        self.resumed = bool(args.resume and self.last.exists())
        if self.resumed:
            self._resume()
        self.board = Board(
            self.folder,
            enabled=args.board and self.main,
            purge_step=self.state.step + 1 if self.resumed else 0,
            tracker=tracker.begun(args, name) if self.main else None,
        )
        if self.main:
            checkpoint.replace(self.folder / "config.toml", as_toml(args).encode())
        self.clock = time.perf_counter()

    @property
    def last(self) -> Path:
        return self.folder / "last.safetensors"

    @property
    def best_path(self) -> Path:
        return self.folder / "best.safetensors"

    @property
    def number(self) -> int:
        """The number of the step being made, from 1; what is logged within a step carries it."""
        return self.state.step + 1

    # The loop

    def __enter__(self) -> Run:
        self.interrupts.__enter__()
        self.clock = time.perf_counter()
        return self

    def __exit__(self, *exception: object) -> None:
        self.interrupts.__exit__(*exception)
        self.progress.close()
        self.board.close()

    def order(self, size: int, batch_size: int, **options: Any) -> Order:
        """The order of `size` training samples for this run's seed, accumulation and processes."""
        here = {"rank": self.accelerator.process_index, "processes": self.accelerator.num_processes}
        return Order(
            size, batch_size, **{"seed": self.args.seed, "accumulate": self.args.accumulate, **here, **options}
        )

    def shard(self, items: Any) -> Any:
        """This process's part of samples to evaluate: every one exactly once over all processes."""
        several = self.accelerator.num_processes > 1
        return items[self.accelerator.process_index :: self.accelerator.num_processes] if several else items

    def everyones(self, item: Any) -> list[Any]:
        """What each process has, by rank."""
        return gather_object([item]) if self.accelerator.num_processes > 1 else [item]

    def together(self, mine: list[Any]) -> list[Any]:
        """What every process has for its `shard`, in the order of the samples; the same in each."""
        parts = self.everyones(mine)
        together: list[Any] = [None] * sum(map(len, parts))
        for rank, part in enumerate(parts):
            together[rank :: len(parts)] = part
        return together

    def rounds(self, count: int) -> int:
        """The largest `shard` of so many samples: every process goes as many rounds, since a divided model computes in
        all of them or in none."""
        return -(-count // self.accelerator.num_processes)

    def goes_on(self, epochs: int) -> bool:
        """Whether another epoch is due."""
        return self.state.epoch < epochs and not self.state.ended

    def batches(self, order: Order | Shares, label: str = "") -> Iterator[Batch]:
        """The steps of the current epoch that are still to do; between two of them the run saves, or stops when asked
        to."""
        self.progress.start(label or f"epoch {self.state.epoch + 1}", len(order), self.state.batch)
        if not self.state.batch:
            self.sums.clear()
        for batch in order.epoch(self.state.epoch, self.state.batch):
            self.sums.counting = batch.share
            yield batch
            self.sums.counting = True
            self.state.batch += 1
            self.tick(batch.total)

    def tick(self, samples: int) -> None:
        """One optimiser step is done: count it, paint, save when due, stop when asked."""
        state = self.state
        state.step += 1
        self.progress.advance(state.batch, samples, self._shown)
        if self._asked():
            self.save()
            raise Interrupted(
                f"stopped after step {state.step}; saved in {self.folder}. The same command goes on from there"
            )
        if self.args.save_every and state.step % self.args.save_every == 0:
            self.save()

    def end_epoch(self, metrics: Mapping[str, float]) -> None:
        """Keep an evaluation's metrics, note whether it is the best, begin the next epoch, save."""
        self._check_finite(metrics)
        self.progress.epoch(self.state.epoch + 1, metrics)
        state = self.state
        state.epoch, state.batch = state.epoch + 1, 0
        self.sums.clear()
        state.history.append(
            {"epoch": state.epoch, "step": state.step, **{key: float(value) for key, value in metrics.items()}}
        )
        value = float(metrics[self.best]) if self.eligible(metrics) else math.nan  # which never improves
        better = self.stopping.update(value)
        weights = self._weights() if better else {}
        if better and self.main:
            noted = {"args": plain(self.args), "metrics": state.history[-1]}
            checkpoint.write(self.best_path, weights, noted)
        if self.stopping.done:
            state.ended = f"{self.best} has not improved for {self.stopping.patience} evaluations"
        self.save()

    def finish(self, columns: Sequence[str], title: str = "") -> dict[str, float]:
        """Print the result table over the evaluations, with the machine and the way to the files; returns the last
        metrics."""
        state = self.state
        if self.main:
            rows = [tuple(_whole(row[column]) for column in columns) for row in state.history]
            notes = [hardware.stamp(), f"{state.step:,} steps · {state.seconds:.1f} s · {self.folder}"]
            notes += [f"stopped early: {state.ended}"] if state.ended else []
            if self.stopping.best is not None:
                notes.append(f"best {self.best} {self.stopping.best:.4f} (best.safetensors)")
            table.show(title or f"{self.name}: result", columns, rows, note="\n".join(notes))
        return dict(state.history[-1]) if state.history else {}

    def kept(self) -> str:
        """What there is to go back to, for the sentence that ends a run."""
        return f"the last good checkpoint is {self.last}" if self.last.exists() else "no checkpoint was written yet"

    def say(self, text: str) -> None:
        """A line for the person, from the main process only."""
        if self.main:
            self.progress.say(text)

    # Saving and resuming

    def save(self) -> None:
        """Write `last.safetensors` and `state.json`. Every process must call it; raises `Diverged` rather than save
        what is not finite."""
        self._check_finite({})
        self.state.seconds += time.perf_counter() - self.clock
        self.clock = time.perf_counter()
        self.state.sums = self.sums.state_dict()
        # Generators and sums belong to one process each; the others' are kept beside the main one's.
        generators, sums = self.everyones(seeding.capture()), self.everyones(self.state.sums)
        self.state.saves += 1
        shards, numbers = self._write_shards() if self.shards else ("", {})
        if self.main:
            self.board.flush()
            tensors, optimizers = {} if shards else self._weights("module."), numbers
            for name, optimizer in ({} if shards else self.optimizers).items():
                parts, optimizers[name] = checkpoint.split_optimizer(optimizer.state_dict())
                tensors.update({f"optimizer.{name}.{key}": tensor for key, tensor in parts.items()})
            for rank, generator in enumerate(generators):
                tensors[f"rng.{rank}.torch"] = generator.pop("torch")
                tensors.update(
                    {f"rng.{rank}.cuda.{number}": value for number, value in enumerate(generator.pop("cuda", ()))}
                )
            scaler = self.accelerator.scaler
            state = {
                "recipe": self.name,
                "args": plain(self.args),
                "processes": self.accelerator.num_processes,
                "state": self.state.state_dict(),
                "sums": sums,
                "stopping": self.stopping.state_dict(),
                "shards": shards,
                "optimizers": optimizers,
                "stateful": {name: item.state_dict() for name, item in self.stateful.items()},
                "generators": generators,
                "scaler": scaler.state_dict() if scaler is not None else None,
            }
            checkpoint.write(self.last, tensors, state)
            readable = {key: state[key] for key in ("recipe", "args", "processes", "state", "stopping")}
            checkpoint.replace(self.folder / "state.json", json.dumps(readable, indent=1).encode())
            for former in self.folder.glob("shards-*"):
                if former.name != shards:
                    shutil.rmtree(former, ignore_errors=True)
        processes.wait(self.accelerator.device)

    def _write_shards(self) -> tuple[str, dict[str, Any]]:
        """Every process's part of weights and optimiser, in a new folder beside the last one, which stands until
        `last.safetensors` names the new one. Returns the folder's name and the optimiser's numbers."""
        (module,), (optimizer,) = self.modules.values(), self.optimizers.values()
        folder = self.folder / f"shards-{self.state.saves:06}"
        if self.main:  # what a killed run left there was never named
            shutil.rmtree(folder, ignore_errors=True)
        processes.wait(self.accelerator.device)
        return folder.name, sharding.write(folder, module, optimizer)

    def take_best(self) -> None:
        """Put the best evaluation's weights into the modules."""
        for name, module in self.modules.items():
            assert len(self.modules) == 1, f"{name} is one of several"
            tensors, _ = checkpoint.read(self.best_path)
            if sharding.sharded(module):
                sharding.fill(module, tensors)
            else:
                checkpoint.fit(hardware.unwrapped(self.accelerator, module), tensors, self.best_path)

    def _weights(self, prefix: str = "") -> dict[str, torch.Tensor]:
        """All modules' weights; under their own names where there is one module and no prefix."""
        result = {}
        for name, module in self.modules.items():
            head = f"{prefix}{name}." if prefix or len(self.modules) > 1 else ""
            divided = sharding.sharded(module)
            weights = (
                sharding.full_weights(module) if divided else hardware.unwrapped(self.accelerator, module).state_dict()
            )
            result.update({head + key: tensor for key, tensor in weights.items() if isinstance(tensor, torch.Tensor)})
        return result

    def _resume(self) -> None:
        tensors, saved = checkpoint.read(self.last)
        same_step = same_run(self.folder, self.name, saved, self.args, self.accelerator.num_processes)
        if saved["state"]["batch"] and not same_step:
            raise UsageError(
                f"{self.folder} was saved in the middle of an epoch by {saved['processes']} process(es) and cannot go "
                f"on with {self.accelerator.num_processes} unless --batch-size times --accumulate makes the same step"
            )
        self.state = State.of(saved["state"])
        if saved.get("shards"):
            (module,), (optimizer,) = self.modules.values(), self.optimizers.values()
            sharding.read(self.folder / saved["shards"], module, optimizer, saved["optimizers"])
        for name, module in ({} if saved.get("shards") else self.modules).items():
            head = f"module.{name}."
            weights = {key.removeprefix(head): tensor for key, tensor in tensors.items() if key.startswith(head)}
            checkpoint.fit(hardware.unwrapped(self.accelerator, module), weights, self.last)
        for name, optimizer in ({} if saved.get("shards") else self.optimizers).items():
            head = f"optimizer.{name}."
            parts = {key.removeprefix(head): tensor for key, tensor in tensors.items() if key.startswith(head)}
            checkpoint.restore_optimizer(optimizer, parts, saved["optimizers"][name])
        for name, item in self.stateful.items():
            item.load_state_dict(saved["stateful"][name])
        self.stopping.load_state_dict(saved["stopping"])
        if self.state.ended and not self.stopping.done:
            self.state.ended = ""
        if self.accelerator.scaler is not None and saved["scaler"]:
            self.accelerator.scaler.load_state_dict(saved["scaler"])
        rank = self.accelerator.process_index
        if saved["processes"] != self.accelerator.num_processes:  # the first one goes on with all that was counted
            together = {key: sum(each.get(key, 0.0) for each in saved["sums"]) for key in saved["sums"][0]}
            self.sums = Sums(together if rank == 0 else dict.fromkeys(together, 0.0))
        else:
            self.sums = Sums(saved["sums"][rank])
        if rank < len(saved["generators"]):
            cuda = [
                tensors[f"rng.{rank}.cuda.{number}"] for number in range(64) if f"rng.{rank}.cuda.{number}" in tensors
            ]
            seeding.restore({**saved["generators"][rank], "torch": tensors[f"rng.{rank}.torch"], "cuda": cuda})
        self.say(f"continues {self.folder}: epoch {self.state.epoch + 1}, step {self.state.step}")

    # Inside

    def _shown(self) -> dict[str, float]:
        shown = {"loss": self.sums.mean("loss")} if "loss" in self.sums.values else {}
        if "correct" in self.sums.values:
            shown["accuracy"] = self.sums.mean("correct", "judged" if "judged" in self.sums.values else "count")
        return shown

    def _asked(self) -> bool:
        """Whether any process was asked to stop; all processes get the same answer, at every `asks_every`-th step where
        there are several."""
        if self.accelerator.num_processes == 1:
            return self.interrupts.asked
        if self.state.step % self.asks_every:
            return False
        flag = torch.tensor([float(self.interrupts.asked)], device=self.accelerator.device)
        return bool(self.accelerator.reduce(flag, reduction="sum") > 0)

    def _check_finite(self, metrics: Mapping[str, float]) -> None:
        numbers = {**{key: float(value) for key, value in metrics.items()}, **self.sums.state_dict()}
        for key, value in numbers.items():
            if not math.isfinite(value):
                raise Diverged(
                    f"{key} became {value} by step {self.state.step}; {self.kept()}. A smaller learning rate or "
                    "--clip is the usual remedy"
                )


def _whole(value: float) -> float | int:
    """Counts are kept as floats among the metrics and shown as integers."""
    return (
        int(value)
        if isinstance(value, (int, float)) and math.isfinite(value) and value == int(value) and value >= 1
        else value
    )
