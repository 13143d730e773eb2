import argparse

import agents
import gym
from buffers import Buffer

parser = argparse.ArgumentParser()
parser.add_argument("--policy")
args = parser.parse_args()

policy = None
if args.policy == "plain":
    policy = agents.Plain()
elif args.policy == "twin":
    policy = agents.Twin()

env, buffer = gym.make("CartPole-v1"), Buffer()
state = env.reset()
for t in range(1000):
    action = policy.act(state)
    state, reward, done, _ = env.step(action)
    buffer.add(state, action, reward, done)
    if t >= 100:
        policy.train(buffer)
    if done:
        state = env.reset()
