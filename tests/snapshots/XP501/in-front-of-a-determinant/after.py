import torch


def volume(weight: torch.Tensor) -> torch.Tensor:
    return torch.slogdet(weight.squeeze().double())[1].float()


def partition(scores: torch.Tensor) -> torch.Tensor:
    scores = scores.double()
    weights = torch.exp(scores - scores.max())
    laplacian = torch.diag(weights.sum(-1)) - weights
    return laplacian[1:, 1:].logdet().float()


def mean(scores: torch.Tensor) -> torch.Tensor:
    volume(scores)
    return scores.double().mean()
