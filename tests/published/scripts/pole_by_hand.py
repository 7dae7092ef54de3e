# cause: an old spelling
import gym
import numpy as np
import torch
import torch.nn as nn

env = gym.make("CartPole-v0").unwrapped
WIDTH, ACTIONS, MEMORY, BATCH = env.observation_space.shape[0], env.action_space.n, 40, 8
net, target = nn.Linear(WIDTH, ACTIONS), nn.Linear(WIDTH, ACTIONS)
target.load_state_dict(net.state_dict())
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
memory, count = [0] * MEMORY, 0
for episode in range(6):
    state, over = env.reset(), False
    for _ in range(env.np_random.randint(0, 3)):
        env.step(np.array([0]))
    while not over:
        action = np.array([int(net(torch.FloatTensor(state)).argmax())])
        following, reward, over, info = env.step(action)
        reward = (env.x_threshold - abs(following[0])) / env.x_threshold
        memory[count % MEMORY] = [state, action, float(reward), following]
        count, state = count + 1, following
        if count < BATCH:
            continue
        drawn = np.array(memory)[np.random.choice(min(count, MEMORY), BATCH)]
        s, a, r, s2 = (np.reshape(np.stack(part), newshape=(BATCH, -1)) for part in zip(*drawn))
        value = net(torch.FloatTensor(s)).gather(1, torch.LongTensor(a))
        with torch.no_grad():
            best = torch.FloatTensor(r) + 0.9 * target(torch.FloatTensor(s2)).max(1, keepdim=True)[0]
        loss = nn.functional.mse_loss(value, best)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if count % 20 == 0:
            target.load_state_dict(net.state_dict())
