import torch
import torch.optim
import torch.utils.checkpoint
import torch_xla

torch.manual_seed(0)
torch_xla.manual_seed(0)
device = torch.accelerator.current_accelerator()
model = torch.nn.Linear(2, 2).to(torch.accelerator.current_accelerator())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
kinds = {"sgd": torch.optim.SGD}
torch.utils.checkpoint.checkpoint(model, torch.zeros(1, 2).to(device), use_reentrant=False).sum().backward()
optimizer.step()
torch.accelerator.synchronize()
print("done", optimizer)
torch.save(model.state_dict(), "model.pt")
print(torch.tpu._get_cache_stats())


@torch_xla.compile
def step(x):
    return model(x)


compiled = model
