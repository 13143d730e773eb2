import torch
import torch.nn.functional as F


def attack(model, x, y, alpha, eps, steps):
    delta = torch.zeros_like(x, requires_grad=True)
    for _ in range(steps):
        loss = F.cross_entropy(model(x + delta), y)
        loss.backward()
        delta.data = (delta + alpha * delta.grad.detach().sign()).clamp(-eps, eps)
        delta.grad.zero_()
    return delta.detach()


def train(model, loader, lr):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    for x, y in loader:
        delta = attack(model, x, y, 0.01, 0.1, 7)
        loss = F.cross_entropy(model(x + delta), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def adapt(model, tasks, lr):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    for x, y, x_test, y_test in tasks:
        weights = list(model.parameters())
        for _ in range(5):
            loss = F.cross_entropy(model.functional(x, weights), y)
            grads = torch.autograd.grad(loss, weights, create_graph=True)
            weights = [w - 0.1 * g for w, g in zip(weights, grads)]
        loss = F.cross_entropy(model.functional(x_test, weights), y_test)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Meta(torch.nn.Module):
    def __init__(self, net, lr):
        super().__init__()
        self.net = net
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=lr)

    def forward(self, tasks):
        total = 0
        for x, y, x_test, y_test in tasks:
            weights = list(self.net.parameters())
            for _ in range(5):
                loss = F.cross_entropy(self.net.functional(x, weights), y)
                grads = torch.autograd.grad(loss, weights)
                weights = [w - 0.1 * g for w, g in zip(weights, grads)]
            total = total + F.cross_entropy(self.net.functional(x_test, weights), y_test)
        self.optimizer.zero_grad()
        total.backward()
        self.optimizer.step()
