# cause: a table of numbers that is absent
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class DiabetesDataset(Dataset):
    def __init__(self):
        xy = np.loadtxt("./data/diabetes.csv.gz", delimiter=",", dtype=np.float32)
        self.len = xy.shape[0]
        self.x_data = torch.from_numpy(xy[:, 0:-1])
        self.y_data = torch.from_numpy(xy[:, [-1]])

    def __getitem__(self, index):
        return self.x_data[index], self.y_data[index]

    def __len__(self):
        return self.len


train_loader = DataLoader(dataset=DiabetesDataset(), batch_size=32, shuffle=True)


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = torch.nn.Linear(8, 6)
        self.l2 = torch.nn.Linear(6, 1)

    def forward(self, x):
        return torch.sigmoid(self.l2(torch.sigmoid(self.l1(x))))


model = Model()
criterion = torch.nn.BCELoss(reduction="mean")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for i, (inputs, labels) in enumerate(train_loader, 0):
        loss = criterion(model(inputs), labels)
        print(f"Epoch {epoch + 1} | Batch: {i + 1} | Loss: {loss.item():.4f}")
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
