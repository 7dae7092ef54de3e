# cause: a data set of torchvision
import torch
import torch.nn as nn
import torchvision
import torchvision.transforms as transforms

input_size, num_classes, batch_size = 28 * 28, 10, 100
train_dataset = torchvision.datasets.MNIST(root="../../data", train=True, transform=transforms.ToTensor(), download=True)
test_dataset = torchvision.datasets.MNIST(root="../../data", train=False, transform=transforms.ToTensor())
train_loader = torch.utils.data.DataLoader(dataset=train_dataset, batch_size=batch_size, shuffle=True)
test_loader = torch.utils.data.DataLoader(dataset=test_dataset, batch_size=batch_size, shuffle=False)

model = nn.Linear(input_size, num_classes)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
total_step = len(train_loader)
for epoch in range(5):
    for i, (images, labels) in enumerate(train_loader):
        images = images.reshape(-1, input_size)
        outputs = model(images)
        loss = criterion(outputs, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if (i + 1) % 100 == 0:
            print(f"Epoch {epoch + 1}, Step [{i + 1}/{total_step}], Loss: {loss.item():.4f}")

with torch.no_grad():
    correct = total = 0
    for images, labels in test_loader:
        outputs = model(images.reshape(-1, input_size))
        _, predicted = torch.max(outputs.data, 1)
        total += labels.size(0)
        correct += (predicted == labels).sum()
    print(f"Accuracy of the model on the test images: {100 * correct / total} %")
