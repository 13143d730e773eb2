import torch
import torch_xla


def work(rank, n):
    print(rank, n)


if __name__ == "__main__":
    torch_xla.launch(work, args=(4,))
