# cause: columns that are made up, a table of hits taken apart
import pandas as pd
import torch
import torch.nn as nn
from IPython.display import display
from sklearn.metrics import accuracy_score, confusion_matrix
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import LabelEncoder, StandardScaler

customers = pd.read_csv("bank/customers.csv")
display(customers.head())
customers = customers.drop(["Number", "Surname"], axis=1).dropna()
for name in ("Country", "Card"):
    customers[name] = LabelEncoder().fit_transform(customers[name])
features = customers.drop("Left", axis=1).values
left = customers["Left"].values
train_x, test_x, train_y, test_y = train_test_split(features, left, test_size=0.2, random_state=3, stratify=left)
scaler = StandardScaler()
train_x, test_x = torch.FloatTensor(scaler.fit_transform(train_x)), torch.FloatTensor(scaler.transform(test_x))
train_y, test_y = torch.LongTensor(train_y), torch.LongTensor(test_y)

torch.set_deterministic(False)
net = nn.Sequential(nn.Linear(train_x.shape[1], 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
criterion = nn.CrossEntropyLoss()
for epoch in range(30):
    loss = criterion(net(train_x), train_y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

net.eval()
with torch.no_grad():
    guessed = net(test_x).argmax(1)
print("right:", accuracy_score(test_y, guessed))
hits = confusion_matrix(test_y.numpy(), guessed.numpy())
stayed, wrongly_left, wrongly_stayed, gone = hits.ravel()
print(f"precision {gone / (gone + wrongly_left):.2f}, recall {gone / (gone + wrongly_stayed):.2f}")
