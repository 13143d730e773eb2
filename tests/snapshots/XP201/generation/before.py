import torch

torch.set_default_device("cuda")


@torch.no_grad()
def generate(model, ids, n):
    for _ in range(n):
        logits = model(ids)
        ids = torch.cat([ids, logits[:, -1:].argmax(-1)], dim=1)
    return ids


generate(torch.nn.Linear(2, 2), torch.zeros(1, 2), 3)
