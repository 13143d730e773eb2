import torch
from torch import nn


def sloped_slogdet(A):
    """slogdet() with a gradient on XLA, the inverse; there is none of that again."""
    still = A.detach()
    sign, size = torch.linalg.slogdet(still)
    slope = torch.linalg.inv_ex(still).inverse.mT
    return torch.return_types.linalg_slogdet((sign, size + (slope * (A - still)).sum((-2, -1))))


def sloped_logdet(A):
    """logdet() with a gradient on XLA, the inverse; there is none of that again."""
    still = A.detach()
    slope = torch.linalg.inv_ex(still).inverse.mT
    return torch.logdet(still) + (slope * (A - still)).sum((-2, -1))


class Mixing(nn.Module):
    def __init__(self):
        super().__init__()
        self.kernel = nn.Parameter(torch.linalg.qr(torch.randn(8, 8))[0])

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        sign, logarithm = sloped_slogdet(self.kernel)
        return x @ self.kernel, logarithm * sign


class Dispersion(nn.Module):
    def forward(self, covariance: torch.Tensor) -> torch.Tensor:
        on_the_host = torch.eye(4).logdet()
        return sloped_logdet(covariance) - on_the_host + torch.linalg.det(covariance)
