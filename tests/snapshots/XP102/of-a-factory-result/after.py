import torch
import torch_xla

h = torch.zeros(1, 2).to(torch_xla.device())
noise = torch.randn(4, 4).to(torch_xla.device())
c = torch.nn.CrossEntropyLoss().to(torch_xla.device())
