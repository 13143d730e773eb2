import torch

name = "cpu"
if torch.cuda.is_available():
    print(torch.cuda.get_device_properties(0))
    name = "cuda"
half = torch.cuda.is_available()
model = torch.nn.Linear(4, 2).to(name)
if half:
    model.to(torch.bfloat16)
