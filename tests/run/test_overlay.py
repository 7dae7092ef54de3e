"""A script sees its own writes, deletions and renames; the disk does not."""

from __future__ import annotations

import pytest

READ_BACK = """
import json, os, shutil, pathlib, csv, glob, tempfile, logging
os.makedirs("out/deep/er", exist_ok=True)
open("out/a.txt", "w").write("hello")
assert open("out/a.txt").read() == "hello" and os.path.getsize("out/a.txt") == 5
assert sorted(os.listdir("out")) == ["a.txt", "deep"]
with open("kept.txt", "a") as f: f.write(" more")
assert open("kept.txt").read() == "original more"
os.remove("gone.txt"); assert not os.path.exists("gone.txt")
try: open("gone.txt"); raise SystemExit("still there")
except FileNotFoundError as error: assert error.filename == "gone.txt"
assert "gone.txt" not in os.listdir(".") and not glob.glob("gone*")
os.rename("old.txt", "new.txt"); assert open("new.txt").read() == "renamed" and not os.path.exists("old.txt")
shutil.rmtree("tree"); assert not os.path.exists("tree/leaf.txt") and not os.path.isdir("tree")
os.makedirs("tree"); assert os.listdir("tree") == []
shutil.copytree("second", "third"); assert open("third/x/y.txt").read() == "deep"
shutil.move("second", "fourth"); assert sorted(p.name for p in pathlib.Path("fourth").rglob("*")) == ["x", "y.txt"]
assert not pathlib.Path("second").exists()
p = pathlib.Path("logs"); p.mkdir(); (p / "r.json").write_text(json.dumps([1])); assert json.loads((p / "r.json").read_text()) == [1]
assert [e.name for e in os.scandir("logs")] == ["r.json"] and next(os.scandir("logs")).is_file()
assert [f for _, _, f in os.walk("logs")] == [["r.json"]]
os.symlink("r.json", "logs/latest"); assert open("logs/latest").read() == "[1]" and os.path.islink("logs/latest")
os.symlink(os.path.abspath("kept.txt"), "logs/far"); assert open("logs/far").read() == "original more"
os.chmod("kept.txt", 0o600); os.utime("kept.txt", (1, 1)); assert os.stat("kept.txt").st_mtime == 1
os.replace("logs/r.json", "logs/s.json"); assert os.path.realpath("logs/s.json") == os.path.join(os.getcwd(), "logs", "s.json")
os.truncate("kept.txt", 3); assert open("kept.txt").read() == "ori"
os.chdir("logs"); assert os.path.exists("s.json") and os.getcwd().endswith("logs") and os.path.exists("../kept.txt")
open("here.txt", "w").write("x"); os.chdir(".."); assert open("logs/here.txt").read() == "x"
with tempfile.TemporaryDirectory() as t: open(os.path.join(t, "f"), "w").write("y")
with tempfile.NamedTemporaryFile("w", suffix=".csv") as f: csv.writer(f).writerow([1])
fd = os.open("low.bin", os.O_CREAT | os.O_WRONLY | os.O_EXCL); os.write(fd, b"1"); os.close(fd); assert os.stat("low.bin").st_size == 1
try: open("low.bin", "x"); raise SystemExit("exclusive")
except FileExistsError: pass
try: open("no/such/folder.txt", "w"); raise SystemExit("no folder")
except FileNotFoundError: pass
try: os.rmdir("logs"); raise SystemExit("not empty")
except OSError: pass
try: os.mkdir("logs"); raise SystemExit("exists")
except FileExistsError: pass
logging.basicConfig(filename="train.log", level=20, force=True); logging.info("epoch"); assert "epoch" in open("train.log").read()
open("/etc/shapewright-was-here", "w").write("x"); assert os.path.exists("/etc/shapewright-was-here")
os.remove("/etc/hostname") if os.path.exists("/etc/hostname") else None
print("the end")
"""


def test_a_script_reads_back_what_it_changed(run):
    trace = run(
        READ_BACK,
        files={
            "kept.txt": "original",
            "gone.txt": "g",
            "old.txt": "renamed",
            "tree/leaf.txt": "l",
            "second/x/y.txt": "deep",
        },
    )
    assert (trace.outcome.state, trace.output) == ("complete", "the end\n"), (trace.outcome, trace.failure)
    told = [item for item in trace.assumptions if item.kind == "write-redirected"]
    assert told and told[0].site.line == 3 and told[0].fields["path"] == "out"
    import os

    assert not os.path.exists("/etc/shapewright-was-here")


SAVES = {
    "torch": """
import torch
m = torch.nn.Linear(2, 2)
torch.save({"m": m.state_dict()}, "c.pt"); m.load_state_dict(torch.load("c.pt")["m"])
torch.save(m.state_dict(), "ünï.pt"); torch.load("ünï.pt", mmap=False)
torch.save(m.state_dict(), "old.pt", _use_new_zipfile_serialization=False); torch.load("old.pt")
x = torch.load("c.pt", mmap=True)
torch.jit.script(m).save("j.pt"); torch.jit.load("j.pt")
t = torch.ones(3).share_memory_()
""",
    "safetensors": """
import torch
from safetensors.torch import save_file, load_file
from safetensors import safe_open
save_file({"a": torch.ones(2)}, "a.safetensors"); assert load_file("a.safetensors")["a"].sum() == 2
with safe_open("a.safetensors", framework="pt") as f: assert f.get_tensor("a").shape == (2,)
""",
    "numpy": """
import numpy as np
np.save("a.npy", np.ones(3)); assert np.load("a.npy").sum() == 3
np.savez("b.npz", x=np.ones(2)); assert np.load("b.npz")["x"].sum() == 2
np.savetxt("c.csv", np.eye(2), delimiter=","); assert np.loadtxt("c.csv", delimiter=",").shape == (2, 2)
m = np.memmap("d.bin", dtype="float32", mode="w+", shape=(4,)); m[:] = 1; m.flush(); del m
assert np.fromfile("d.bin", dtype="float32").sum() == 4
np.ones(3).tofile("e.bin"); assert np.fromfile("e.bin").sum() == 3
""",
    "pandas": """
import pandas as pd
pd.DataFrame({"a": [1, 2]}).to_csv("a.csv", index=False); assert pd.read_csv("a.csv").a.sum() == 3
pd.DataFrame({"a": [1]}).to_pickle("a.pkl"); assert len(pd.read_pickle("a.pkl")) == 1
""",
    "sqlite3": """
import sqlite3
c = sqlite3.connect("runs.db"); c.execute("create table t (x)"); c.execute("insert into t values (1)"); c.commit(); c.close()
assert sqlite3.connect("runs.db").execute("select count(*) from t").fetchone() == (1,)
""",
    "matplotlib": """
import matplotlib.pyplot as plt
plt.plot([1, 2]); plt.savefig("loss.png"); plt.show()
import os; assert os.path.getsize("loss.png") > 100
""",
    "pickle": """
import gzip, pickle, zipfile
pickle.dump([1], open("a.pkl", "wb")); assert pickle.load(open("a.pkl", "rb")) == [1]
with gzip.open("a.gz", "wt") as f: f.write("z")
assert gzip.open("a.gz", "rt").read() == "z"
with zipfile.ZipFile("a.zip", "w") as z: z.write("a.gz")
with zipfile.ZipFile("a.zip") as z: z.extractall("unzipped")
import os; assert os.listdir("unzipped") == ["a.gz"]
""",
    "tensorboard": """
from torch.utils.tensorboard import SummaryWriter
import os
w = SummaryWriter("runs/a"); w.add_scalar("loss", 1.0, 0); w.close()
assert os.listdir("runs/a")
""",
}


@pytest.mark.parametrize("library", SAVES)
def test_libraries_save_and_load(run, library):
    pytest.importorskip(library)
    trace = run(SAVES[library])
    assert trace.outcome.state == "complete", (trace.outcome, trace.failure)


def test_a_script_imports_what_it_wrote(run):
    trace = run(
        "import os, importlib\nos.makedirs('pkg')\nopen('pkg/__init__.py', 'w').write('A = 1')\nopen('made.py', 'w').write('B = 2')\n"
        "importlib.invalidate_caches()\nimport made, pkg\nprint(made.B, pkg.A)"
    )
    assert trace.output == "2 1\n", (trace.outcome, trace.failure)


def test_c_code_cannot_write_around_the_overlay(run, tmp_path):
    trace = run(
        f"""
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
print(libc.open(b"{tmp_path}/evil", 0o101, 0o644), libc.unlink(b"{tmp_path}/kept.txt"), libc.rename(b"{tmp_path}/kept.txt", b"{tmp_path}/x"))
import posix
try: posix.open("{tmp_path}/evil2", 0o101)
except PermissionError: print("refused")
""",
        files={"kept.txt": "k"},
    )
    assert trace.output == "-1 -1 -1\nrefused\n"
    assert any(item.kind == "write-refused" for item in trace.assumptions)
