import gym
import torch


def rewards_to_go(rewards, discount=0.98):
    found, total = [], 0.0
    for reward in reversed(rewards):
        total = reward + discount * total
        found.insert(0, total)
    return torch.tensor(found)


def spaces_of(name):
    env = gym.make(name)
    return env.observation_space, env.action_space
