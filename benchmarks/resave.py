"""How long a save takes to show: `python benchmarks/resave.py [--saves 50] [--long 500]`.

Five scripts are changed and saved in turn through a real `shapewright lsp`; printed are the median and the 95th
percentile from save to diagnostics, in wall time and in processor time of the server and its processes (which a busy
machine does not lengthen), the ratio to a cold `shapewright check --no-fix` of the same script in both, and the memory
after many saves against that after 20."""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from lsprotocol import types
from pygls.lsp.client import LanguageClient
from pygls.uris import from_fs_path

HEAD = "import torch\nfrom torch import nn\nfrom torch.utils.data import DataLoader, TensorDataset\n\n"
LOOP = """\
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in loader:
    loss = criterion(model(x){shape}, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
CLASSES = """\
loader = DataLoader(TensorDataset({x}, torch.randint(0, 5, (70,))), batch_size=16)
criterion = nn.CrossEntropyLoss()
"""
FLOATS = "loader = DataLoader(TensorDataset({x}, torch.randn(70{y})), batch_size=16)\ncriterion = nn.MSELoss()\n"
SCRIPTS = {
    "linear": "model = nn.Sequential(nn.Linear(20, 16), nn.ReLU(), nn.Linear(16, 5))\n"
    + CLASSES.format(x="torch.randn(70, 20)")
    + LOOP.format(shape=""),
    "wrong_width": "model = nn.Sequential(nn.Linear(20, 16), nn.ReLU(), nn.Linear(18, 5))\n"
    + CLASSES.format(x="torch.randn(70, 20)")
    + LOOP.format(shape=""),
    "broadcast": "model = nn.Linear(20, 1)\n" + FLOATS.format(x="torch.randn(70, 20)", y="") + LOOP.format(shape=""),
    "conv": "model = nn.Sequential(nn.Conv2d(1, 4, 3), nn.Flatten(), nn.Linear(144, 5))\n"
    + CLASSES.format(x="torch.randn(70, 1, 8, 8)")
    + LOOP.format(shape=""),
    "squeezed": "model = nn.Linear(20, 1)\n"
    + FLOATS.format(x="torch.randn(70, 20)", y="")
    + LOOP.format(shape=".squeeze(-1)"),
}


def memory(pid: int) -> int:
    """The proportional memory of a process and its descendants, in KiB."""
    total, waiting = 0, [pid]
    while waiting:
        one = waiting.pop()
        try:
            with open(f"/proc/{one}/smaps_rollup") as rollup:
                total += next(int(line.split()[1]) for line in rollup if line.startswith("Pss:"))
            for task in os.listdir(f"/proc/{one}/task"):
                with open(f"/proc/{one}/task/{task}/children") as children:
                    waiting += map(int, children.read().split())
        except (OSError, StopIteration):
            continue
    return total


def processor(pid: int) -> float:
    """Processor seconds of a process, its children that ended, and its descendants."""
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rpartition(")")[2].split()
    total = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/children") as children:
            total += sum(processor(int(child)) for child in children.read().split())
    return total


@dataclass
class Took:
    """Seconds of one save: wall time until the first diagnostics, until the last, and processor time in all."""

    first: float
    last: float
    work: float


class Editor:
    """A client that changes and saves the scripts."""

    def __init__(self, folder: Path) -> None:
        self.client, self.folder = LanguageClient("resave", "1"), folder
        self.version, self.news, self.shown, self.over = 1, asyncio.Event(), None, False

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: types.PublishDiagnosticsParams) -> None:
            self.shown = self.shown or time.monotonic()
            self.news.set()

        @self.client.feature(types.WINDOW_WORK_DONE_PROGRESS_CREATE)
        def create(params: types.WorkDoneProgressCreateParams) -> None:
            pass

        @self.client.feature(types.PROGRESS)
        def progressed(params: types.ProgressParams) -> None:
            kind = params.value["kind"] if isinstance(params.value, dict) else params.value.kind
            self.over |= kind == "end"
            self.news.set()

    async def begin(self) -> None:
        """Start the server and open the scripts."""
        await self.client.start_io(sys.executable, "-m", "shapewright", "lsp", cwd=str(self.folder))
        window = types.WindowClientCapabilities(work_done_progress=True)
        await self.client.initialize_async(
            types.InitializeParams(
                capabilities=types.ClientCapabilities(window=window),
                root_uri=from_fs_path(str(self.folder)),
                initialization_options={"repair": False, "onOpen": False},
            )
        )
        self.client.initialized(types.InitializedParams())
        for name, text in SCRIPTS.items():
            (self.folder / f"{name}.py").write_text(HEAD + text)
            document = types.TextDocumentItem(self.uri(name), "python", 1, HEAD + text)
            self.client.text_document_did_open(types.DidOpenTextDocumentParams(document))

    def uri(self, name: str) -> str:
        """A script's URI."""
        return from_fs_path(str(self.folder / f"{name}.py"))

    async def saved(self, name: str) -> Took:
        """Change the learning rate in a script, save it and wait for all that is told."""
        self.version += 1
        text = HEAD + SCRIPTS[name].replace("lr=0.1", f"lr=0.{self.version}")
        (self.folder / f"{name}.py").write_text(text)
        identifier = types.VersionedTextDocumentIdentifier(self.version, self.uri(name))
        whole = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [whole]))
        self.shown, self.over, work = None, False, processor(self.client._server.pid)
        begin = time.monotonic()
        self.client.text_document_did_save(
            types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(self.uri(name)))
        )
        async with asyncio.timeout(240):
            while not self.over:
                self.news.clear()
                await self.news.wait()
        last = time.monotonic() - begin
        return Took(self.shown - begin, last, processor(self.client._server.pid) - work)


def cold(folder: Path, name: str) -> tuple[float, float]:
    """Wall and processor seconds of a check in a process of its own."""
    begin, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "shapewright", "check", "--no-fix", f"{name}.py"], cwd=folder, capture_output=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic() - begin, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def told(name: str, seconds: list[float]) -> None:
    """Print a median and a 95th percentile."""
    cut = statistics.quantiles(seconds, n=20)[18] if len(seconds) > 1 else seconds[0]
    print(f"  {name:<34} median {statistics.median(seconds):.2f} s, 95th percentile {cut:.2f} s")


async def measured(folder: Path, saves: int, long: int) -> None:
    """Print the figures."""
    editor, names, early = Editor(folder), list(SCRIPTS), 0
    await editor.begin()
    for name in names:
        await editor.saved(name)  # warm
    took: dict[str, list[Took]] = {name: [] for name in names}
    for number in range(saves):
        name = names[number % len(names)]
        took[name].append(await editor.saved(name))
        if number == 14:
            early = memory(editor.client._server.pid)
    everything = [one for several in took.values() for one in several]
    print(f"{saves} saves of {len(names)} scripts, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    told("save to first diagnostics", [one.first for one in everything])
    told("save to all diagnostics", [one.last for one in everything])
    told("processor time of it", [one.work for one in everything])
    for name in names:
        wall, work = cold(folder, name)
        first, spent = (statistics.median(getattr(one, what) for one in took[name]) for what in ("first", "work"))
        print(
            f"  {name:<12} save {first:.2f} s ({spent:.2f} s of processor), cold check {wall:.2f} s ({work:.2f} s), "
            f"ratio {first / wall:.2f} ({spent / work:.2f})"
        )
    for number in range(saves, long):
        await editor.saved(names[number % len(names)])
    late = memory(editor.client._server.pid)
    print(f"memory after 20 saves {early / 1024:.0f} MiB, after {max(saves, long)} {late / 1024:.0f} MiB: ", end="")
    print(f"{late / early:.2f} times")
    await editor.client.shutdown_async(None)
    editor.client.exit(None)
    await editor.client.stop()


def main() -> None:
    """Parse and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--saves", type=int, default=50)
    parser.add_argument("--long", type=int, default=500)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measured(Path(folder), options.saves, options.long))


if __name__ == "__main__":
    main()
