import torch


class Trainer:
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    def move(self, x, other=torch.device("cuda:1")):
        return x.to(self.device), x.to(other)


move = lambda x, device=torch.device("cuda"): x.to(device)  # noqa: E731


def outer():
    def inner(x, device=torch.device("cuda")):
        return x.to(device)

    return inner
