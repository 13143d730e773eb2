import pytest
import torch


def run(check, skip_unless):
    check(torch.cuda.is_available)
    skip_unless(probe=torch.cuda.is_available)
    return torch.cuda.is_available
