"""How long a save takes to show: `python benchmarks/resave.py [--saves 50] [--long 500]`.

Five scripts are saved in turn through a real `shapewright lsp`; printed are the median and the 95th percentile from
save to diagnostics, the ratio to a cold `shapewright check --no-fix` of the same script, and the memory of the server
and its resident process after many saves against that after 20."""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
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


async def measured(folder: Path, saves: int, long: int) -> None:
    """Print the figures."""
    client, news, shown = LanguageClient("resave", "1"), asyncio.Event(), {}

    @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def published(params: types.PublishDiagnosticsParams) -> None:
        shown[params.uri] = time.monotonic()
        news.set()

    await client.start_io(sys.executable, "-m", "shapewright", "lsp", cwd=str(folder))
    await client.initialize_async(
        types.InitializeParams(
            capabilities=types.ClientCapabilities(),
            root_uri=from_fs_path(str(folder)),
            initialization_options={"repair": False, "onOpen": False},
        )
    )
    client.initialized(types.InitializedParams())
    uris = {}
    for name, text in SCRIPTS.items():
        path = folder / f"{name}.py"
        path.write_text(HEAD + text)
        uris[name] = from_fs_path(str(path))
        document = types.TextDocumentItem(uris[name], "python", 1, HEAD + text)
        client.text_document_did_open(types.DidOpenTextDocumentParams(document))

    async def saved(name: str) -> float:
        uri = uris[name]
        shown.pop(uri, None)
        begin = time.monotonic()
        client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri)))
        async with asyncio.timeout(120):
            while uri not in shown:
                news.clear()
                await news.wait()
        return shown[uri] - begin

    names = list(SCRIPTS)
    for name in names:
        await saved(name)  # warm
    times = {name: [] for name in names}
    early = 0
    for number in range(saves):
        name = names[number % len(names)]
        times[name].append(await saved(name))
        if number == 14:
            early = memory(client._server.pid)
    everything = sorted(second for several in times.values() for second in several)
    cut = statistics.quantiles(everything, n=20)[18] if len(everything) > 1 else everything[0]
    print(
        f"{saves} saves of {len(names)} scripts: median {statistics.median(everything):.2f} s, "
        f"95th percentile {cut:.2f} s"
    )
    for name in names:
        begin = time.monotonic()
        subprocess.run(
            [sys.executable, "-m", "shapewright", "check", "--no-fix", f"{name}.py"], cwd=folder, capture_output=True
        )
        cold, warm = time.monotonic() - begin, statistics.median(times[name])
        print(f"  {name:<12} save {warm:.2f} s, cold check {cold:.2f} s, ratio {warm / cold:.2f}")
    for number in range(saves, long):
        await saved(names[number % len(names)])
    late = memory(client._server.pid)
    print(
        f"memory after 20 saves {early / 1024:.0f} MiB, after {max(saves, long)} {late / 1024:.0f} MiB: "
        f"{late / early:.2f} times"
    )
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()


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
