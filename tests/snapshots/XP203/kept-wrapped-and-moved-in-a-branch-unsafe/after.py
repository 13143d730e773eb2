import torch
import torch_xla
from torch import nn


class Trainer:
    def __init__(self, args):
        model = nn.Linear(4, 1)
        if args.cuda:
            model.to(torch_xla.device())
        train_params = [{"params": model.get_1x_lr_params(), "lr": args.lr}]
        optimizer = torch.optim.SGD(train_params, lr=0.1)
        self.criterion = nn.MSELoss()
        self.model, self.optimizer = model, optimizer
        if args.cuda:
            self.model = torch.nn.DataParallel(self.model, device_ids=[0])
            self.model = self.model.cuda()

    def train(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(x.cuda()), y.cuda())
            loss.backward()
            self.optimizer.step()
