# cause: what our own cuts cause, beside an absent module
import torch
import torch.nn as nn
from sklearn.manifold import TSNE
from torch.utils.data import DataLoader, TensorDataset

pictures = torch.rand(600, 64)
kinds = (pictures.sum(1) > 32).long()
loader = DataLoader(TensorDataset(pictures, kinds), batch_size=50, shuffle=True)
encoder, decoder = nn.Linear(64, 2), nn.Linear(2, 64)
optimizer = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=1e-3)
codes = {"place": [], "kind": []}
for epoch in range(12):
    places, seen = [], []
    for x, y in loader:
        code = encoder(x)
        loss = nn.functional.mse_loss(torch.sigmoid(decoder(code)), x)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        places.append(code.detach())
        seen.append(y)
    codes["place"].append(torch.cat(places))
    codes["kind"].append(torch.cat(seen))

shown = []
for epoch in (0, 5, 10):
    shown.append(TSNE(n_components=2).fit_transform(codes["place"][epoch][:100].numpy()))
    print(epoch, len(shown), codes["kind"][epoch][:100].float().mean())
