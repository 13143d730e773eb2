import numpy as np
import torch


def rays(u, size, pose):
    far = torch.Tensor([1e10]).expand(size)
    noise = np.random.rand(4)
    noise = torch.Tensor(noise)
    steps = torch.Tensor(np.linspace(0.0, 1.0, 8) * 2)  # é
    moved = torch.Tensor([[1.0, 2.0]]).to("cpu")
    empty = torch.Tensor(3, 4), torch.Tensor(), torch.Tensor(far.size()), torch.Tensor(*size), torch.Tensor(7)
    count = len(u)
    more = torch.Tensor(count)
    unknown = torch.Tensor(
        pose,
    )
    host = torch.FloatTensor([1.0])
    lower = lambda t: torch.Tensor([[1, 0], [0, t]])
    return isinstance(far, torch.Tensor), steps, moved, empty, more, unknown, host, lower, noise


if __name__ == "__main__":
    torch.set_default_tensor_type("torch.cuda.FloatTensor")
    rays([1.0], (2, 1), None)
