import torch
from torch.utils.data import DataLoader
from transformers import GPT2Config, GPT2LMHeadModel

PAD = 0


def rows(n=40):
    g = torch.Generator().manual_seed(0)
    out = []
    for _ in range(n):
        start, size = int(torch.randint(1, 40, (1,), generator=g)), int(torch.randint(5, 16, (1,), generator=g))
        out.append((start + 3 * torch.arange(size)) % 59 + 1)
    return out


def collate(batch):
    ids = torch.nn.utils.rnn.pad_sequence(batch, batch_first=True, padding_value=PAD)
    mask = (ids != PAD).long()
    labels = ids.masked_fill(mask == 0, -100)
    return {"input_ids": ids, "attention_mask": mask, "labels": labels}


if __name__ == "__main__":
    torch.manual_seed(0)
    model = GPT2LMHeadModel(GPT2Config(vocab_size=64, n_positions=32, n_embd=32, n_layer=2, n_head=2, bos_token_id=0, eos_token_id=0))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for epoch in range(2):
        for batch in DataLoader(rows(), batch_size=8, shuffle=True, collate_fn=collate):
            loss = model(**batch).loss
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, round(loss.item(), 4))
