import torch
import torch_xla
import torch_xla.core.xla_model as xm

device = torch_xla.device()
layers = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 8)).to(device)
target = torch.randn(4, 8, device=device).requires_grad_(True)
content = torch.randn(4, 8, device=device)
optimizer = torch.optim.Adam([target], lr=0.01)
lasting = 0
for step in range(100):
    style_loss = 0
    content_loss = 0
    for layer in layers:
        content_loss += torch.mean((layer(target) - layer(content)) ** 2)
        style_loss += torch.mean(layer(target) ** 2) / 4
        lasting += torch.mean(layer(target)).detach()
        if step == 50:
            print("so far", style_loss.item())
    loss = content_loss + 100 * style_loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if (step + 1) % 10 == 0:
        xm.add_step_closure(
            lambda step, content_loss, style_loss, lasting: print(step, content_loss.item(), style_loss.item(), lasting.item()),
            args=(step, content_loss, style_loss, lasting.clone()),
            run_async=True,
        )
    torch_xla.sync()
