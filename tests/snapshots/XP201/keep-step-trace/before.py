import torch
import torch_xla.debug.profiler as xp

model = torch.nn.Linear(4, 1).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

# The end of the block cuts the graph.
for i, x in enumerate(torch.utils.data.DataLoader(torch.zeros(8, 4))):
    with xp.StepTrace("step", step_num=i):
        loss = model(x.cuda()).mean()
        loss.backward()
        optimizer.step()
