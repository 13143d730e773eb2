import torch
from torch import nn


def inference():
    def decorated(function):
        return torch.no_grad()(function)

    return decorated


@inference()
def evaluate(model, batches, criterion):
    device = next(model.parameters()).device
    total, chosen = 0, []
    for x, y in batches:
        output = model(x.to(device))
        chosen.append(output.argsort(1, descending=True)[:, :5])
        total += criterion(output, y.to(device))
    return total / len(batches), torch.cat(chosen)


model = nn.Linear(8, 10).to("cuda")
batches = [(torch.randn(4, 8), torch.randint(0, 10, (4,))) for _ in range(5)]
print(evaluate(model, batches, nn.CrossEntropyLoss())[0].item())
