# cause: environments of absent libraries that take a step together
import gym
import torch
import torch.nn as nn
from together_envs.many import ProcessEnvs

ROUNDS, STEPS = 4, 5


def maker(seed):
    def make():
        world = gym.make("Pendulum-v1")
        world.seed(seed)
        return world

    return make


worlds = ProcessEnvs([maker(seed) for seed in range(6)])
seen_size, acts_size = worlds.observation_space.shape[0], worlds.action_space.shape[0]
critic = nn.Sequential(nn.Linear(seen_size, 32), nn.Tanh(), nn.Linear(32, 1))
actor = nn.Sequential(nn.Linear(seen_size, 32), nn.Tanh(), nn.Linear(32, acts_size))
optimizer = torch.optim.Adam([*critic.parameters(), *actor.parameters()], lr=3e-4)
seen = torch.as_tensor(worlds.reset(), dtype=torch.float32)
for _ in range(ROUNDS):
    logs, values, rewards, goes_on = [], [], [], []
    for _ in range(STEPS):
        policy = torch.distributions.Normal(actor(seen), 0.5)
        action = policy.sample()
        logs.append(policy.log_prob(action).sum(-1))
        values.append(critic(seen).squeeze(-1))
        after, reward, done, _ = worlds.step(action.numpy())
        rewards.append(torch.as_tensor(reward, dtype=torch.float32))
        goes_on.append(1 - torch.as_tensor(done, dtype=torch.float32))
        seen = torch.as_tensor(after, dtype=torch.float32)
    with torch.no_grad():
        total, returns = critic(seen).squeeze(-1), []
        for reward, more in zip(reversed(rewards), reversed(goes_on)):
            total = reward + 0.98 * total * more
            returns.insert(0, total)
    wanted, guessed = torch.stack(returns), torch.stack(values)
    gain = (wanted - guessed).detach()
    loss = (wanted - guessed).pow(2).mean() - (torch.stack(logs) * gain).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
worlds.close()
