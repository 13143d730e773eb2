import pickle

import torch


@torch.no_grad()
def sample(path, device=torch.device("cuda"), count=18, churn=0, lowest=0, highest=80):
    with open(path, "rb") as file:
        net = pickle.load(file)["ema"].to(device)
    x = torch.randn([8, 3, 32, 32], device=device)
    times = 80 - torch.arange(count, device=device) * 2.0
    times = torch.cat([times, torch.zeros_like(times[:1])])
    for now, then in zip(times[:-1], times[1:]):
        gamma = min(churn / count, 0.4) if lowest <= now <= highest else 0
        moved = now + gamma * now
        x = x + (then - moved) * (x - net(x, moved)) / moved
    return x.cpu().numpy()


print(sample("net.pkl"))
