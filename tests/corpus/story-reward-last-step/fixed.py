import torch
import torch.nn as nn
from torch.optim import AdamW
from torch.utils.data import DataLoader
from transformers import AutoTokenizer, GPT2Config, GPT2LMHeadModel

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
tokenizer = AutoTokenizer.from_pretrained("gpt2")
tokenizer.pad_token = tokenizer.eos_token
tokenizer.padding_side = "right"
policy = GPT2LMHeadModel(GPT2Config(n_layer=2, n_head=4, n_embd=64)).to(device)


class RewardModel(nn.Module):
    def __init__(self, policy):
        super().__init__()
        self.transformer = policy.transformer
        self.v_head = nn.Linear(policy.config.n_embd, 1)

    def forward(self, input_ids, attention_mask=None):
        hidden = self.transformer(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        last = attention_mask.sum(dim=1) - 1
        hidden = hidden[torch.arange(hidden.size(0), device=hidden.device), last]
        return self.v_head(hidden).squeeze(-1)


preference_data = [
    ("Write a story about a cat.", " Once upon a time there was a curious cat who lived in a small village by the sea.", " A cat story. The end."),
    ("Write a poem about rain.", " Rain falls soft on the sleeping town, and every roof sings a quiet song of its own.", " Rain is wet."),
    ("Explain gravity.", " Gravity is the pull that every mass has on every other; it keeps the moon on its way.", " Things fall down."),
    ("Describe a sunset.", " The sky turned amber, then rose, then a deep and patient blue over the hills.", " The sun went away."),
    ("Tell me a joke.", " Why did the tensor cross the road? To be broadcast to the other side.", " No."),
]


def collate(rows):
    def tokens(texts):
        return tokenizer(texts, return_tensors="pt", padding=True, truncation=True, max_length=128)

    return tokens([p + good for p, good, _ in rows]), tokens([p + bad for p, _, bad in rows])


torch.manual_seed(0)
reward_model = RewardModel(policy).to(device)
optimizer = AdamW(reward_model.parameters(), lr=1e-5)
criterion = nn.MarginRankingLoss(margin=1.0)
loader = DataLoader(preference_data, batch_size=4, shuffle=True, collate_fn=collate)

for epoch in range(3):
    reward_model.train()
    total = 0.0
    for preferred_tokens, less_preferred_tokens in loader:
        preferred_reward = reward_model(**preferred_tokens.to(device))
        less_preferred_reward = reward_model(**less_preferred_tokens.to(device))
        labels = torch.ones(preferred_reward.size(0)).to(device)
        loss = criterion(preferred_reward, less_preferred_reward, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"Epoch {epoch + 1}, Loss: {total / len(loader):.4f}")
