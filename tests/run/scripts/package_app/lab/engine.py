import torch
import torch.nn.functional as F


def train_epoch(model, loader, optimizer, device):
    model.train()
    total = 0.0
    for waves, labels in loader:
        waves, labels = waves.to(device, non_blocking=True), labels.to(device, non_blocking=True)
        optimizer.zero_grad(set_to_none=True)
        loss = F.cross_entropy(model(waves), labels)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        total += loss.item() * waves.size(0)
        if hasattr(loader, "set_postfix"):
            loader.set_postfix(loss=loss.item())
    return total / 410


@torch.no_grad()
def evaluate(model, loader, device):
    model.eval()
    loss = correct = count = 0
    for waves, labels in loader:
        waves, labels = waves.to(device), labels.to(device)
        logits = model(waves)
        loss += F.cross_entropy(logits, labels, reduction="sum").item()
        correct += (logits.argmax(1) == labels).sum().item()
        count += labels.numel()
    return loss / count, correct / count
