from torch import nn


class Trainer(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.optimizer = net.get_optimizer()

    def step(self, x):
        self.optimizer.zero_grad()
        loss = self.net(x).mean()
        loss.backward()
        self.optimizer.step()
        return loss


class TrainerThere(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net.cuda()
        self.optimizer = net.get_optimizer()


class Holder(nn.Module):
    def __init__(self, net, options):
        super().__init__()
        self.net = net
        self.optimized = options.get("optimized")


class BritishTrainer(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.optimiser = net.get_optimizer()
