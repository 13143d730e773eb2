import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.autograd import Variable
from torch.utils.data import DataLoader


def cuda(tensor, uses_cuda):
    return tensor.cuda() if uses_cuda else tensor


class Solver(object):
    def __init__(self, args):
        self.use_cuda = args.cuda and torch.cuda.is_available()
        self.max_iter = args.max_iter
        self.global_iter = 0
        self.C_max = args.C_max
        self.net = cuda(nn.Linear(4, 4), self.use_cuda)
        self.optim = optim.Adam(self.net.parameters(), lr=1e-3)
        self.display_step = args.display_step
        self.data_loader = DataLoader(torch.randn(64, 4), batch_size=8, shuffle=True, drop_last=True)

    def train(self):
        self.C_max = Variable(cuda(torch.FloatTensor([self.C_max]), self.use_cuda))
        out = False
        while not out:
            for x in self.data_loader:
                self.global_iter += 1
                x = Variable(cuda(x, self.use_cuda))
                recon = self.net(x)
                C = torch.clamp(self.C_max / 1e5 * self.global_iter, 0, self.C_max.data[0])
                loss = (F.mse_loss(recon, x, reduction="sum") - C).abs()
                self.optim.zero_grad()
                loss.backward()
                self.optim.step()
                if self.global_iter % self.display_step == 0:
                    print("[{}] loss:{:.3f}".format(self.global_iter, loss.data[0]))
                    self.viz_lines()
                    self.viz_traverse()
                if self.global_iter >= self.max_iter:
                    out = True
                    break

    def viz_lines(self):
        print(self.net.weight.data.mean(0).cpu())

    def viz_traverse(self):
        gifs = []
        for key in range(2):
            samples = []
            z = torch.randn(1, 4).cuda()
            for row in range(4):
                for val in torch.arange(-3, 3.1, 2):
                    z[:, row] = val
                    sample = F.sigmoid(self.net(z)).data
                    samples.append(sample)
                    gifs.append(sample)
            samples = torch.cat(samples, dim=0).cpu()
        gifs = torch.cat(gifs)
        gifs = gifs.view(2, 4, 4, 4).transpose(1, 2)
        for i in range(2):
            for j in range(4):
                gifs[i][j].cpu().numpy()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--cuda", default=True, type=bool)
    parser.add_argument("--max_iter", default=20, type=float)
    parser.add_argument("--C_max", default=25, type=float)
    parser.add_argument("--display_step", default=10, type=int)
    Solver(parser.parse_args()).train()
