import torch

device = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else "cpu"
model = torch.nn.Linear(4, 4).to(device)
if torch.accelerator.is_available():
    torch.accelerator.synchronize()
    print(torch.accelerator.memory_allocated(), torch.accelerator.device_count())
