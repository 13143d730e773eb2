import sys

import torch

nets = __import__(sys.argv[1])
critic = nets.Critic(rate=0.2).to("cuda")
loss = critic(torch.ones(8, 4).to("cuda")).mean()
loss.backward()
critic.optim.step()
