import torch
import torch_xla.backends

torch_xla.backends.set_mat_mul_precision("highest")


def exact():
    torch_xla.backends.set_mat_mul_precision("highest")
    print(torch.ones(2, 2, device="cuda") @ torch.ones(2, 2, device="cuda"))


def exact_or_not(exact):
    if exact:
        torch_xla.backends.set_mat_mul_precision("highest")
