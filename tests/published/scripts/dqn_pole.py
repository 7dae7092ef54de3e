# cause: an absent module
import random
from collections import deque

import gym
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim


class Qnet(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(4, 32)
        self.fc2 = nn.Linear(32, 2)

    def forward(self, x):
        return self.fc2(F.relu(self.fc1(x)))

    def sample_action(self, obs, epsilon):
        if random.random() < epsilon:
            return random.randint(0, 1)
        return self(obs).argmax().item()


def train(q, q_target, memory, optimizer):
    for _ in range(3):
        batch = random.sample(memory, 16)
        s, a, r, s_prime, done_mask = zip(*batch)
        s, s_prime = torch.tensor(s, dtype=torch.float), torch.tensor(s_prime, dtype=torch.float)
        a, r, done_mask = torch.tensor(a), torch.tensor(r), torch.tensor(done_mask)
        q_a = q(s).gather(1, a)
        max_q_prime = q_target(s_prime).max(1)[0].unsqueeze(1).detach()
        target = r + 0.98 * max_q_prime * done_mask
        loss = F.smooth_l1_loss(q_a, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


env = gym.make("CartPole-v1")
q, q_target = Qnet(), Qnet()
q_target.load_state_dict(q.state_dict())
memory = deque(maxlen=1000)
optimizer = optim.Adam(q.parameters(), lr=0.0005)
score = 0.0
for n_epi in range(300):
    epsilon = max(0.01, 0.08 - 0.01 * (n_epi / 200))
    s = env.reset()
    done = False
    while not done:
        a = q.sample_action(torch.as_tensor(s).float(), epsilon)
        s_prime, r, done, info = env.step(a)
        memory.append((list(map(float, s)), [a], [r / 100.0], list(map(float, s_prime)), [0.0 if done else 1.0]))
        s = s_prime
        score += r
    if len(memory) > 60:
        train(q, q_target, memory, optimizer)
    if n_epi % 20 == 0 and n_epi != 0:
        q_target.load_state_dict(q.state_dict())
        print(f"n_episode :{n_epi}, score : {score / 20:.1f}, n_buffer : {len(memory)}")
        score = 0.0
env.close()
