import torch


class Trainer:
    def __init__(self, model, optimizer, get_batch, loss_fn):
        self.model = model
        self.optimizer = optimizer
        self.get_batch = get_batch
        self.loss_fn = loss_fn

    def train(self, steps):
        self.model.train()
        for _ in range(steps):
            self.train_step()


class RowTrainer(Trainer):
    def train_step(self):
        states, actions, mask = self.get_batch()
        predicted = self.model(states)
        width = predicted.shape[2]
        predicted = predicted.reshape(-1, width)[mask.reshape(-1) > 0]
        wanted = actions.reshape(-1, width)[mask.reshape(-1) > 0]
        loss = self.loss_fn(
            None, predicted, None,
            None, wanted, None,
        )
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
