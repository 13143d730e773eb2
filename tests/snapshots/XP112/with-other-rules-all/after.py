import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch.autograd import Variable

model = torch.nn.Linear(4, 2).to(torch_xla.device())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for input, target in pl.MpDeviceLoader(torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(8, 4), torch.zeros(8).long()), 4), torch_xla.device()):
    input_var = Variable(input)
    loss = torch.nn.functional.cross_entropy(model(input_var), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
