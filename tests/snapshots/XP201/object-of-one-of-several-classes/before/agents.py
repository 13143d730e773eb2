import torch
from torch import nn

device = torch.device("cuda")


class Plain:
    def __init__(self):
        self.actor = nn.Linear(4, 2).to(device)
        self.optimizer = torch.optim.Adam(self.actor.parameters())

    def act(self, state):
        state = torch.FloatTensor(state).to(device)
        return self.actor(state).cpu().data.numpy()

    def train(self, buffer):
        loss = self.actor(buffer.sample()).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


class Twin(Plain):
    def train(self, buffer):
        for _ in range(2):
            super().train(buffer)
