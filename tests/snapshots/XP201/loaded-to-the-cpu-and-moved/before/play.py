import torch
from envs import make_env, placed

env = make_env("pong")
policy = placed(torch.load("policy.pt", map_location="cpu"))
hidden = torch.zeros(1, policy.size)
observation = env.reset()
while True:
    with torch.no_grad():
        value, action, hidden = policy.act(observation, hidden)
    observation, reward, done = env.step(action)
