# cause: folders of pictures that are absent
import copy
import os

import torch
import torch.nn as nn
import torch.optim as optim
from torch.optim import lr_scheduler
from torchvision import datasets, models, transforms

data_transforms = {
    "train": transforms.Compose([transforms.RandomResizedCrop(32), transforms.RandomHorizontalFlip(), transforms.ToTensor()]),
    "val": transforms.Compose([transforms.Resize(36), transforms.CenterCrop(32), transforms.ToTensor()]),
}
data_dir = "data/hymenoptera_data"
image_datasets = {x: datasets.ImageFolder(os.path.join(data_dir, x), data_transforms[x]) for x in ["train", "val"]}
dataloaders = {x: torch.utils.data.DataLoader(image_datasets[x], batch_size=4, shuffle=True) for x in ["train", "val"]}
dataset_sizes = {x: len(image_datasets[x]) for x in ["train", "val"]}
class_names = image_datasets["train"].classes
device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
model = models.squeezenet1_1(pretrained=True)
for param in model.parameters():
    param.requires_grad = False
model.classifier[1] = nn.Conv2d(512, len(class_names), kernel_size=1)
model = model.to(device)
criterion = nn.CrossEntropyLoss()
optimizer = optim.SGD(model.classifier[1].parameters(), lr=0.001, momentum=0.9)
scheduler = lr_scheduler.StepLR(optimizer, step_size=7, gamma=0.1)
best_model_wts, best_acc = copy.deepcopy(model.state_dict()), 0.0
for epoch in range(25):
    for phase in ["train", "val"]:
        model.train() if phase == "train" else model.eval()
        running_loss = running_corrects = 0
        for inputs, labels in dataloaders[phase]:
            inputs, labels = inputs.to(device), labels.to(device)
            optimizer.zero_grad()
            with torch.set_grad_enabled(phase == "train"):
                outputs = model(inputs)
                _, preds = torch.max(outputs, 1)
                loss = criterion(outputs, labels)
                if phase == "train":
                    loss.backward()
                    optimizer.step()
            running_loss += loss.item() * inputs.size(0)
            running_corrects += torch.sum(preds == labels.data)
        if phase == "train":
            scheduler.step()
        epoch_acc = running_corrects.double() / dataset_sizes[phase]
        print(f"{phase} Loss: {running_loss / dataset_sizes[phase]:.4f} Acc: {epoch_acc:.4f}")
        if phase == "val" and epoch_acc > best_acc:
            best_acc, best_model_wts = epoch_acc, copy.deepcopy(model.state_dict())
model.load_state_dict(best_model_wts)
