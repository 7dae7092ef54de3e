"""What usually stops a published script on a machine that has torch alone, and does not stop its check."""

import textwrap

HIDING = """
import sys
class Hidden:
    def __init__(self, finder):
        self.finder = finder
    def find_spec(self, name, path=None, target=None):
        return None if path is None and name in HIDDEN else self.finder.find_spec(name, path, target)
sys.meta_path[:] = [one if type(one).__module__.startswith("shapewright") else Hidden(one) for one in sys.meta_path]
"""


def without(names, text):
    """A script as it is run where the modules of these names are not installed."""
    return f"HIDDEN = {names!r}{HIDING}{textwrap.dedent(text)}"


def test_requests_answers_as_urllib_does(run):
    trace = run(
        without(
            ["requests"],
            """
            import os, zipfile, requests, torch
            def fetched(address, name):
                answer = requests.get(address, stream=True, verify=True)
                with open(name, "wb") as file:
                    file.write(answer.content)
                return name
            with open(fetched("https://example.org/words.txt", "words.txt")) as file:
                words = file.read().split()
            zipfile.ZipFile(fetched("https://example.org/all.zip", "all.zip")).extractall("all")
            session = requests.Session()
            session.headers["agent"] = "me"
            rows = session.get("https://example.org/rows.json").json()
            try:
                requests.post("https://example.org/told", json={"loss": 1.0})
            except requests.exceptions.RequestException:
                raise SystemExit("not told")
            print(torch.zeros(len(words), len(rows)).shape)
            """,
        )
    )
    assert trace.outcome.state == "complete", trace.outcome
    assert [item.fields["file"] for item in trace.assumptions if item.kind == "stand-in-file"] == [
        "https://example.org/words.txt",
        "https://example.org/rows.json",
    ]


def test_a_type_put_into_the_space_of_a_made_up_environment_is_no_end(run):
    trace = run(
        """
import gymnasium as gym, numpy as np, torch
env = gym.make("Hopper-v4")
env.observation_space.dtype = np.float32
seen, _ = env.reset(seed=1)
print(torch.from_numpy(seen).shape, torch.from_numpy(env.step(env.action_space.sample())[0]).shape)
"""
    )
    assert trace.outcome.state == "complete", trace.outcome


def test_numbers_made_of_tensors_reach_the_trace(run):
    """`sum(same) / float(count)` over arrays is a number of numpy's: of a kind of ours where it came of a tensor."""
    trace = run(
        """
import torch
net, x = torch.nn.Linear(3, 2), torch.randn(100, 3)
same = net(x).max(1)[1].data.numpy().squeeze() == torch.zeros(100, dtype=torch.long).numpy()
for step in range(3):
    accuracy = sum(same) / float(same.size)
    print("%.2f" % net(x).mean().data[0], accuracy)
"""
    )
    assert trace.outcome.state == "stopped", trace.outcome
