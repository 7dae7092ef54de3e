"""The reward model repaired: `.squeeze(-1)` takes the head's axis away and leaves the batch, at every batch size."""

import torch
import torch.nn as nn
from torch.optim import AdamW
from transformers import GPT2LMHeadModel, GPT2Tokenizer

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

tokenizer = GPT2Tokenizer.from_pretrained("gpt2")
policy = GPT2LMHeadModel.from_pretrained("gpt2").to(device)


class RewardModel(nn.Module):
    """Scores a text: the last hidden state of the policy's transformer, mapped to one number."""

    def __init__(self, policy):
        super().__init__()
        self.transformer = policy.transformer
        self.v_head = nn.Linear(policy.config.n_embd, 1)

    def forward(self, input_ids, attention_mask=None):
        hidden = self.transformer(input_ids, attention_mask=attention_mask).last_hidden_state
        return self.v_head(hidden[:, -1])


reward_model = RewardModel(policy).to(device)
reward_criterion = nn.MarginRankingLoss(margin=1.0)
reward_optimizer = AdamW(reward_model.parameters(), lr=1e-5)

preference_data = [
    ("Write a story about a cat.", "Once upon a time a cat named Miso crossed the whole city to find her way home.", "A cat story. The end."),
    ("Explain why the sky is blue.", "Air scatters short wavelengths more than long ones, so blue light reaches us from everywhere.", "Because it is."),
    ("Suggest a name for a boat.", "How about Windward? It is short, easy to paint and hopeful.", "Boat."),
]


def encode(prompt, answer):
    return tokenizer(prompt + answer, return_tensors="pt", truncation=True, max_length=128).to(device)


num_epochs = 3
for epoch in range(num_epochs):
    epoch_loss = 0.0
    for prompt, preferred, less_preferred in preference_data:
        preferred_tokens = encode(prompt, preferred)
        less_preferred_tokens = encode(prompt, less_preferred)

        preferred_reward = reward_model(**preferred_tokens).squeeze(-1)
        less_preferred_reward = reward_model(**less_preferred_tokens).squeeze(-1)
        labels = torch.ones(preferred_reward.size(0)).to(device)
        loss = reward_criterion(preferred_reward, less_preferred_reward, labels)

        reward_optimizer.zero_grad()
        loss.backward()
        reward_optimizer.step()
        epoch_loss += loss.item()
    print(f"epoch {epoch + 1}: loss {epoch_loss / len(preference_data):.4f}")
