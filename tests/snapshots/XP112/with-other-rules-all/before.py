import torch
from torch.autograd import Variable

model = torch.nn.Linear(4, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for input, target in torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(8, 4), torch.zeros(8).long()), 4):
    target = target.cuda(async=True)
    input_var = Variable(input.cuda(async=True))
    loss = torch.nn.functional.cross_entropy(model(input_var), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
