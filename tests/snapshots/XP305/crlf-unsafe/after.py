import torch
import torch.nn.functional as F
import torch_xla
import torch_xla.core.xla_model as xm

model = torch.nn.Linear(4, 2).to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(64, 4), batch_size=8)
for step, x in enumerate(loader):
    x = x.to("xla")
    out = model(x)
    loss = F.mse_loss(out, x[:, :2])
    score = (out > 0).float().mean()
    loss.backward()
    optimizer.step()
    # shown now and then
    if step % 10 == 0:
        def log(score, loss, step):
            score = score.item()
            value = loss.item()
            print(step, value, score)

        xm.add_step_closure(log, args=(score, loss, step), run_async=True)
    torch_xla.sync()
