"""The commands: recipes found by reading, help with every field, mistakes as one clear sentence."""

import dataclasses
import errno
import json
import subprocess
import sys
import types

import pytest

from shapewright.commands import train as command
from shapewright.recipes import registry, settings
from shapewright.recipes.settings import CommonArgs, UsageError, as_toml, resolve

OURS = ("digits", "fashion", "lenet", "next-token", "reward", "rlhf", "text")


def test_listing_the_recipes_imports_no_torch():
    code = "import sys; from shapewright.commands.train import main; code = main(['recipes']); print('torch' in sys.modules, code)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.splitlines()
    assert out[-1] == "False 0"
    names = [line.split()[0] for line in out[:-1]]
    assert (
        set(OURS) <= set(names)
        and names == sorted(names)
        and all(len(line.split(None, 1)[1]) > 20 for line in out[:-1])
    )


def test_adding_a_recipe_is_adding_a_file(tmp_path):
    (tmp_path / "mine.py").write_text(
        '"""A new one.\n\nMore.\n"""\nname = "my-own"\nclass Args: pass\ndef train(args): pass\n'
    )
    (tmp_path / "piece.py").write_text('name = "no recipe"\n')
    found = registry.find(tmp_path, "there")["my-own"]
    assert dataclasses.replace(found, settings=()) == registry.Recipe("my-own", "there.mine", "A new one.")
    assert {"seed", "log_dir"} <= {setting.name for setting in found.settings}


@pytest.mark.parametrize("name", OURS)
def test_help_lists_every_field_with_its_text(name, capsys):
    recipe = registry.find()[name]
    args = recipe.load().Args
    assert command.main(["train", name, "--help"]) == 0
    out = capsys.readouterr().out
    for field in dataclasses.fields(args):
        assert f"--{field.name.replace('_', '-')}" in out


@pytest.mark.parametrize("name", OURS)
def test_every_field_is_read(name):
    """A field that the recipe ignores would be a promise not kept."""
    module = registry.find()[name].load()
    files = {module.__file__} | {  # the recipe, and what it hands its settings to
        sys.modules[part.__module__].__file__
        for part in vars(module).values()
        if getattr(part, "__module__", "").startswith(
            ("shapewright.recipes.policy.", "shapewright.recipes.preference.")
        )
    }
    source = "\n".join(open(file, encoding="utf-8").read() for file in sorted(files, reverse=True))
    own = {field.name for field in dataclasses.fields(module.Args)} - {
        field.name for field in dataclasses.fields(settings.CommonArgs)
    }
    unread = [
        field
        for field in own
        if f"args.{field}" not in source and f'"{field}"' not in source.partition("class Args")[0]
    ]
    assert not unread


def test_the_list_for_programs_has_every_setting(capsys):
    assert command.main(["recipes", "--json"]) == 0
    listed = {entry["name"]: entry for entry in json.loads(capsys.readouterr().out)}
    for name in OURS:
        fields = {field.name for field in dataclasses.fields(registry.find()[name].load().Args)}
        assert {setting["name"] for setting in listed[name]["settings"]} == fields
        assert all(setting["help"] for setting in listed[name]["settings"])


def test_settings_come_from_a_file_and_the_command_line_wins(tmp_path, capsys):
    recipe = registry.find()["lenet"]
    kind = recipe.load().Args
    file = tmp_path / "run.toml"
    file.write_text("epochs = 3\nseed = 7\n[lenet]\nbatch-size = 16\n[digits]\nbatch-size = 8\n")
    args, _ = command.parse(kind, ["--config", str(file), "--seed", "9"], recipe)
    assert (args.epochs, args.batch_size, args.seed) == (3, 16, 9)
    again = tmp_path / "again.toml"
    again.write_text(as_toml(args))
    assert command.parse(kind, [f"--config={again}"], recipe)[0] == args
    file.write_text("epocs = 3\n")
    assert command.parse(kind, ["--config", str(file)], recipe) == (None, 2)
    assert "did you mean 'epochs'" in capsys.readouterr().err
    assert command.parse(kind, ["--config", str(tmp_path / "none.toml")], recipe) == (None, 2)
    assert "is no settings file" in capsys.readouterr().err


@pytest.mark.parametrize("ours", [["-m", "shapewright", "train", "lenet"], ["-m", "shapewright.recipes.lenet"]])
def test_a_mistake_is_one_sentence_however_it_is_called(ours):
    done = subprocess.run([sys.executable, *ours, "--data", "nowhere"], capture_output=True, text=True)
    assert done.returncode == 2 and "Traceback" not in done.stderr and done.stderr.startswith("shapewright: ")


@pytest.mark.parametrize(
    ("error", "free"),
    [
        (OSError(errno.ENOSPC, "No space left on device", "x/last.safetensors"), 10**9),
        (RuntimeError("unexpected pos"), 0),
    ],
)
def test_a_full_disk_ends_in_a_sentence(error, free, tmp_path, capsys, monkeypatch):
    """Also where a library says so in an error of its own: then the disk is asked."""

    def train(args):
        raise error

    monkeypatch.setattr(command.shutil, "disk_usage", lambda folder: types.SimpleNamespace(free=free))
    for number in (9, 12):
        (tmp_path / f"checkpoint-{number}").mkdir()
        (tmp_path / f"checkpoint-{number}" / "whole").touch()
    recipe, args = types.SimpleNamespace(train=train), types.SimpleNamespace(log_dir=str(tmp_path))
    assert command.guarded(recipe, args) == 2
    told = capsys.readouterr().err
    assert "the disk is full (" in told and f"the last whole checkpoint is {tmp_path / 'checkpoint-12'}" in told
    monkeypatch.setattr(command.shutil, "disk_usage", lambda folder: types.SimpleNamespace(free=10**9))
    if isinstance(error, RuntimeError):
        with pytest.raises(RuntimeError):
            command.guarded(recipe, args)


def test_results_are_not_overwritten_unasked(tmp_path):
    (tmp_path / "state.json").write_text(json.dumps({"recipe": "reward", "state": {"history": [{"epoch": 1}]}}))
    with pytest.raises(UsageError, match="--overwrite"):
        resolve(CommonArgs, name="rlhf", hparams={"resume": False}, log_dir=tmp_path)
    resolve(CommonArgs, name="rlhf", hparams={"resume": False, "overwrite": True}, log_dir=tmp_path)
    resolve(CommonArgs, name="rlhf", log_dir=tmp_path)


@pytest.mark.parametrize("name", OURS)
def test_a_recipe_file_is_one_readable_script(name):
    module = registry.find()[name].load()
    assert len(open(module.__file__, encoding="utf-8").read().splitlines()) <= 350


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["train", "digit"], "did you mean 'digits'"),
        (["train", "digits", "--epoch", "3"], "no setting --epoch; did you mean --epochs?"),
        (["train", "lenet", "--colour", "red"], "no setting --colour"),
        (["recipes", "x"], "takes no arguments"),
        (["train", "lenet", "--accumulate", "0"], "at least 1"),
        (["train", "lenet", "--device", "cuda"], "no such device"),
        (["train", "digits", "--data", "nowhere"], "not there"),
        (["train", "next-token", "--inputs", "one-hot", "--tied"], "no embedding to tie"),
    ],
)
def test_a_mistake_is_one_sentence_and_exit_code_2(argv, words, capsys, tmp_path, monkeypatch):
    import torch

    if "cuda" in argv and torch.cuda.is_available():
        pytest.skip("there is a GPU")
    monkeypatch.chdir(tmp_path)
    assert command.main(argv) == 2
    error = capsys.readouterr().err
    assert words in error and error.startswith("shapewright: ") and error.count("\n") == 1
    assert not list(tmp_path.rglob("*.safetensors"))


@pytest.mark.parametrize(
    ("recipe", "hparams", "words"),
    [
        ("reward", {"batch_size": 0}, "batch_size must be at least 1, not 0"),
        ("reward", {"lr": float("nan")}, "lr must be at least 0, not nan"),
        ("reward", {"lr": float("inf")}, "lr must be at least 0 and finite, not inf"),
        ("reward", {"margin": 0.0}, "margin must be above 0, not 0.0"),
        ("reward", {"held_out": 1.5}, "held_out must be from 0 to 1, not 1.5"),
        ("reward", {"loss": "hinge"}, "loss is one of 'bradley-terry', 'margin-ranking', not 'hinge'"),
        ("reward", {"seed": 2**40}, "seed must be from"),
        ("rlhf", {"temperature": 0.0}, "temperature must be above 0"),
        ("rlhf", {"lam": -0.1}, "lam must be from 0 to 1"),
        ("rlhf", {"kl_stop": -1.0}, "kl_stop must be at least 0, not -1.0"),
    ],
)
def test_a_number_out_of_its_bounds_is_one_sentence(recipe, hparams, words):
    module = registry.find()[recipe].load()
    with pytest.raises(settings.UsageError) as caught:
        settings.resolve(module.Args, None, name=recipe, hparams=hparams)
    assert words in str(caught.value) and "\n" not in str(caught.value)


def test_a_file_in_the_place_of_the_folder_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    for folder in ("file", "file/run"):
        with pytest.raises(settings.UsageError, match="is a file"):
            settings.resolve(registry.find()["reward"].load().Args, None, name="reward", log_dir=tmp_path / folder)


def test_a_limit_may_be_endless_where_that_means_none():
    module = registry.find()["rlhf"].load()
    assert settings.resolve(
        module.Args, None, name="rlhf", hparams={"kl_stop": float("inf"), "clip": float("inf")}
    ).kl_stop == float("inf")


def test_a_value_of_the_wrong_kind_is_exit_code_2(capsys):
    assert command.main(["train", "digits", "--epochs", "many"]) == 2
    assert "epochs" in capsys.readouterr().err


def test_settings_from_python_are_checked():
    from shapewright.recipes import digits

    resolved = settings.resolve(digits.Args, None, name="digits", hparams={"lr": 1, "batch_size": 8}, log_dir="here")
    assert (resolved.lr, resolved.batch_size, resolved.log_dir, resolved.dropout) == (
        1.0,
        8,
        "here",
        digits.Args().dropout,
    )
    with pytest.raises(settings.UsageError, match="did you mean 'dropout'"):
        settings.resolve(digits.Args, None, name="digits", hparams={"drop_out": 0.5})
    with pytest.raises(settings.UsageError, match="takes int, not str"):
        settings.resolve(digits.Args, None, name="digits", hparams={"epochs": "5"})


def test_summary_prints_lenets_61706_parameters(capsys):
    assert command.main(["summary", "shapewright.recipes.lenet:LeNet", "--input", "1x28x28"]) == 0
    out = capsys.readouterr().out
    assert "61,706" in out and "(B, 16, 10, 10)" in out and "(B, 10)" in out
    for count in ("156", "2,416", "48,120", "10,164", "850"):
        assert count in out


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["shapewright.recipes.lenet:LeNet", "--input", "3x28x28"], "at 0, Conv2d"),
        (["shapewright.recipes.lenet:LeNet", "--input", "1x40x40"], "at 7, Linear"),
        (["shapewright.recipes.lenet:Net", "--input", "1x28x28"], "has no Net"),
        (["shapewright.recipes.lenet", "--input", "1x28x28"], "write MODULE:CLASS"),
        (["no_such_module:Net", "--input", "1"], "cannot be imported"),
        (["shapewright.recipes.lenet:LeNet", "--input", "1xtall"], "written 1x28x28"),
        (["torch.nn:Linear", "--input", "3"], "NAME=VALUE"),
        (["torch:tensor", "--input", "3"], "not an nn.Module"),
    ],
)
def test_a_summary_that_cannot_be(argv, words, capsys):
    assert command.main(["summary", *argv]) == 2
    error = capsys.readouterr().err
    assert words in error and error.startswith("shapewright: ")


def test_summary_of_a_users_file_with_shared_weights_and_indices(tmp_path, capsys):
    (tmp_path / "net.py").write_text(
        "import torch\nfrom torch import nn\nclass Net(nn.Module):\n    def __init__(self, size=1_000_000_000, name='x'):\n        super().__init__()\n        self.a = nn.Embedding(size, 8)\n"
        "        self.b = nn.LSTM(8, 8, batch_first=True)\n    def forward(self, x):\n        return self.b(self.b(self.a(x))[0])\n"
    )
    assert command.main(["summary", f"{tmp_path / 'net.py'}:Net", "--input", "5:long"]) == 0
    out = capsys.readouterr().out
    assert "8,000,000,576" in out and "(again)" in out and "(B, 5, 8)" in out
    assert command.main(["summary", f"{tmp_path / 'net.py'}:Net", "size=10", "--input", "5:long"]) == 0
    assert "parameters 656" in capsys.readouterr().out
    with (tmp_path / "net.py").open("a") as file:
        file.write("def small(size=10):\n    return Net(size)\n")
    assert command.main(["summary", f"{tmp_path / 'net.py'}:small", "--input", "5:long"]) == 0
    assert "parameters 656" in capsys.readouterr().out


def test_preflight_refuses_an_unsound_model_before_training(tmp_path, capsys, monkeypatch):
    from shapewright.recipes import lenet

    monkeypatch.setattr(
        lenet.LeNet, "forward", lambda self, images: super(lenet.LeNet, self).forward(images).view(64, 10)
    )
    arguments = ["train", "lenet", "--log-dir", str(tmp_path / "run"), "--device", "cpu", "--epochs", "1"]
    assert command.main(arguments) == 1
    error = capsys.readouterr().err
    assert "preflight found the model unsound" in error and "64" in error
    assert not (tmp_path / "run" / "last.safetensors").exists()


def test_state_json_is_for_people(tmp_path):
    from shapewright.recipes import fashion

    fashion.train(hparams={"epochs": 1, "limit": 64, "device": "cpu", "board": False, "width": 8}, log_dir=tmp_path)
    state = json.loads((tmp_path / "state.json").read_text())
    assert state["recipe"] == "fashion" and state["state"]["epoch"] == 1 and state["args"]["limit"] == 64
