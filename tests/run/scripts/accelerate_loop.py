"""A plain training loop under Accelerate: prepare, accumulate, clip, gather, save."""
import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    accelerator = Accelerator(gradient_accumulation_steps=2, mixed_precision="no")
    x = torch.randn(203, 12)
    y = (x.sum(1) > 0).long()
    train_loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)
    eval_loader = DataLoader(TensorDataset(x, y), batch_size=64)
    model = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 2))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, total_iters=100)
    model, optimizer, train_loader, eval_loader, scheduler = accelerator.prepare(model, optimizer, train_loader, eval_loader, scheduler)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(5):
        model.train()
        for inputs, targets in train_loader:
            with accelerator.accumulate(model):
                loss = criterion(model(inputs), targets)
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()
        model.eval()
        correct = total = 0
        for inputs, targets in eval_loader:
            with torch.no_grad():
                predictions = model(inputs).argmax(dim=-1)
            predictions, targets = accelerator.gather_for_metrics((predictions, targets))
            correct += (predictions == targets).sum().item()
            total += targets.size(0)
        accelerator.print(f"epoch {epoch}: {correct / total:.3f}")
    accelerator.wait_for_everyone()
    unwrapped = accelerator.unwrap_model(model)
    accelerator.save(unwrapped.state_dict(), "model.pt")


if __name__ == "__main__":
    main()
