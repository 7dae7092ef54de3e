# cause: an absent module
import gym
import torch
import torch.nn as nn
from gym.wrappers.keep_within import KeepWithin  # of a version that had it
from helpers.gym import rewards_to_go

if __name__ == "__main__":
    env = gym.make("CartPole-v0")
    if isinstance(env.action_space, gym.spaces.Box):
        env = KeepWithin(env)
    policy = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 2))
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
    for episode in range(30):
        state, done, chances, rewards = env.reset(), False, [], []
        while not done:
            choice = torch.distributions.Categorical(logits=policy(torch.as_tensor(state, dtype=torch.float32)))
            action = choice.sample()
            chances.append(choice.log_prob(action))
            state, reward, done, _ = env.step(action.item())
            rewards.append(reward)
        loss = -(torch.stack(chances) * rewards_to_go(rewards)).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
