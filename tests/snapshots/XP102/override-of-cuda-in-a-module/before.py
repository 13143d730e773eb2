import torch


class Net(torch.nn.Module):
    def cuda(self, device=None):
        self.table = self.table.cuda(device)
        return super().cuda(device)
