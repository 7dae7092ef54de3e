# cause: a cut loop
import random
from collections import namedtuple

import torch
import torch.nn as nn

Transition = namedtuple("Transition", ("state", "action", "next_state", "reward"))
memory, BATCH = [], 24
policy, target = nn.Linear(3, 2), nn.Linear(3, 2)
target.load_state_dict(policy.state_dict())
optimizer = torch.optim.RMSprop(policy.parameters())
steps_done = 0
for i_episode in range(30):
    state = torch.randn(1, 3)
    for t in range(20):
        action = policy(state).max(1)[1].view(1, 1) if random.random() > 0.1 else torch.tensor([[random.randrange(2)]])
        next_state = None if t == 19 else torch.randn(1, 3)
        memory.append(Transition(state, action, next_state, torch.randn(1)))
        state = next_state
        steps_done += 1
        if len(memory) < BATCH:
            continue
        batch = Transition(*zip(*random.sample(memory, BATCH)))
        mask = torch.tensor([s is not None for s in batch.next_state])
        following = torch.cat([s for s in batch.next_state if s is not None])
        values = policy(torch.cat(batch.state)).gather(1, torch.cat(batch.action))
        best = torch.zeros(BATCH)
        with torch.no_grad():
            best[mask] = target(following).max(1).values
        loss = nn.functional.smooth_l1_loss(values, (best * 0.9 + torch.cat(batch.reward)).unsqueeze(1))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_value_(policy.parameters(), 100)
        optimizer.step()
    if i_episode % 10 == 0:
        target.load_state_dict(policy.state_dict())
