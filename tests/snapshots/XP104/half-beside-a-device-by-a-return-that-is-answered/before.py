import torch


def choose(wish):
    if wish == "cpu" or not torch.cuda.is_available():
        return torch.device("cpu")
    return torch.device("cuda:0")


device = choose("")
half = torch.cuda.is_available()
if torch.cuda.is_available():
    print(torch.cuda.get_device_properties(0))
model = torch.nn.Linear(4, 2).to(device)
if half:
    model.to(torch.bfloat16)
