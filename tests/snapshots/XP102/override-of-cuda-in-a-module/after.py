import torch
import torch_xla


class Net(torch.nn.Module):
    def cuda(self, device=None):
        self.table = self.table.cuda(device)
        return super().to(torch_xla.device())
