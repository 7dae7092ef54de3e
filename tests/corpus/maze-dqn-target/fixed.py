import random
from collections import namedtuple

import torch
import torch.nn as nn
import torch.optim as optim

Transition = namedtuple("Transition", ("state", "action", "next_state", "reward", "done"))


class ReplayMemory:
    def __init__(self, capacity):
        self.capacity, self.memory = capacity, []

    def push(self, *args):
        self.memory.append(Transition(*args))
        if len(self.memory) > self.capacity:
            self.memory.pop(0)

    def sample(self, n):
        return Transition(*zip(*random.sample(self.memory, n)))

    def __len__(self):
        return len(self.memory)


class DQN(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.Linear(4, 64)
        self.l2 = nn.Linear(64, 64)
        self.l3 = nn.Linear(64, 3)

    def forward(self, x):
        return self.l3(torch.relu(self.l2(torch.relu(self.l1(x)))))


class Agent:
    def __init__(self):
        self.policy_net, self.target_net = DQN(), DQN()
        self.target_net.load_state_dict(self.policy_net.state_dict())
        self.optimizer = optim.AdamW(self.policy_net.parameters(), lr=1e-3, amsgrad=True)
        self.memory = ReplayMemory(500)
        self.criterion = nn.SmoothL1Loss()

    def optimize(self, batch_size=32, gamma=0.95):
        batch = self.memory.sample(batch_size)
        state = torch.stack(batch.state)
        action = torch.tensor(batch.action).view(-1, 1)
        reward = torch.tensor(batch.reward).unsqueeze(1)
        done = torch.tensor(batch.done, dtype=torch.float32).unsqueeze(1)
        next_state = torch.stack(batch.next_state)
        q = self.policy_net(state).gather(1, action)
        with torch.no_grad():
            next_q = self.target_net(next_state).max(dim=1, keepdim=True).values
        expected = reward + gamma * next_q * (1 - done)
        loss = self.criterion(q, expected)
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_value_(self.policy_net.parameters(), 100)
        self.optimizer.step()
        self.target_net.load_state_dict(self.policy_net.state_dict())
        return loss.item()


def main():
    torch.manual_seed(0)
    random.seed(0)
    agent = Agent()
    state = torch.zeros(4)
    for step in range(200):
        action = random.randrange(3)
        next_state = (state + 0.2 * (action - 1) + 0.1 * torch.randn(4)).clamp(-2, 2)
        reward = 1.0 - float(next_state.abs().mean())
        done = bool(random.random() < 0.05)
        agent.memory.push(state, action, next_state, reward, done)
        state = torch.zeros(4) if done else next_state
        if len(agent.memory) >= 64:
            loss = agent.optimize()
            if step % 50 == 49:
                print(f"step {step + 1}: loss {loss:.4f}")


if __name__ == "__main__":
    main()
