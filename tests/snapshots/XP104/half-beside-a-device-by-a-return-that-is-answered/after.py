import torch


def choose(wish):
    if wish == "cpu":
        return torch.device("cpu")
    return torch.device("cuda:0")


device = choose("")
half = True
if torch.cuda.is_available():
    print(torch.cuda.get_device_properties(0))
model = torch.nn.Linear(4, 2).to(device)
if half:
    model.to(torch.bfloat16)
