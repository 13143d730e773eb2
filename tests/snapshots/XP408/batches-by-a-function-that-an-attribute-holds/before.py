import torch
from torch import nn


class Trainer:
    def __init__(self, model, optimizer, get_batch):
        self.model = model
        self.optimizer = optimizer
        self.get_batch = get_batch

    def train_step(self):
        states, actions, mask = self.get_batch()
        preds = self.model(states)
        preds = preds.reshape(-1, preds.shape[2])[mask.reshape(-1) > 0]
        target = actions.reshape(-1, preds.shape[1])[mask.reshape(-1) > 0]
        loss = (preds - target).square().mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


def batch():
    return (torch.zeros(2, 3, 4).cuda(), torch.zeros(2, 3, 4).cuda(), torch.ones(2, 3).cuda())


model = nn.Linear(4, 4).cuda()
trainer = Trainer(model, torch.optim.SGD(model.parameters(), lr=0.1), batch)
for _ in range(10):
    trainer.train_step()
