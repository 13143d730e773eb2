import torch
from torch import nn


class Mixing(nn.Module):
    def __init__(self):
        super().__init__()
        self.kernel = nn.Parameter(torch.linalg.qr(torch.randn(8, 8))[0])

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        sign, logarithm = torch.linalg.slogdet(self.kernel)
        return x @ self.kernel, logarithm * sign


class Dispersion(nn.Module):
    def forward(self, covariance: torch.Tensor) -> torch.Tensor:
        on_the_host = torch.eye(4).logdet()
        return covariance.logdet() - on_the_host + torch.linalg.det(covariance)
