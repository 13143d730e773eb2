import torch
from envs import make_env

env = make_env("pong", device="cpu")
device = torch.device("cpu")
policy, mean = torch.load("policy.pt", map_location=device)
hidden = torch.zeros(1, policy.size).to(device)
observation = env.reset()
while True:
    with torch.no_grad():
        value, action, hidden = policy.act(observation - mean, hidden)
    observation, reward, done = env.step(action)
    if done:
        print(value.item())
