# cause: data that are not there, cut by characters, beside libraries that are another's interface
import configargparse
import oyaml as yaml
import torch
import torch.nn as nn
from scipy.special import gamma
from torch.utils.data import DataLoader, Dataset

parser = configargparse.ArgumentParser()
parser.add_argument("--settings", is_config_file=True, help="a file of settings")
parser.add_argument("--window", type=int, default=40)
parser.add_argument("--rate", type=float, default=1e-3)
args = parser.parse_args()
print(yaml.dump(vars(args)))

with open("books/story.txt") as file:
    story = file.read()
letters = sorted(set(story))
place = {letter: at for at, letter in enumerate(letters)}
codes = torch.tensor([place[letter] for letter in story])


class Windows(Dataset):
    def __init__(self, codes, size):
        self.codes, self.size = codes, size

    def __len__(self):
        return len(self.codes) - self.size

    def __getitem__(self, at):
        end = at + self.size
        return self.codes[at:end], self.codes[at + 1 : end + 1]


learned = DataLoader(Windows(codes[:400_000], args.window), batch_size=64, shuffle=True)
held = DataLoader(Windows(codes[400_000:440_000], args.window), batch_size=64)
table, cell, head = nn.Embedding(len(letters), 16), nn.GRU(16, 32, batch_first=True), nn.Linear(32, len(letters))
optimizer = torch.optim.Adam([*table.parameters(), *cell.parameters(), *head.parameters()], args.rate)
scale = float(gamma(1.5)) / 2
for x, y in learned:
    scores = head(cell(table(x))[0])
    loss = scale * nn.functional.cross_entropy(scores.transpose(1, 2), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
with torch.no_grad():
    losses = [nn.functional.cross_entropy(head(cell(table(x))[0]).transpose(1, 2), y) for x, y in held]
print(torch.stack(losses).mean())
