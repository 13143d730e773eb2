import numpy as np
import torch
import torch_xla


def rays(u, size, pose):
    far = torch.as_tensor([1e10], dtype=torch.float32).expand(size)
    noise = np.random.rand(4)
    noise = torch.as_tensor(noise, dtype=torch.float32)
    steps = torch.as_tensor(np.linspace(0.0, 1.0, 8) * 2, dtype=torch.float32)  # é
    moved = torch.Tensor([[1.0, 2.0]]).to("cpu")
    empty = torch.empty(3, 4), torch.empty(0), torch.empty(far.size()), torch.empty(*size), torch.empty(7)
    count = len(u)
    more = torch.empty(count)
    unknown = torch.as_tensor(
        pose, dtype=torch.float32,
    )
    host = torch.FloatTensor([1.0])
    lower = lambda t: torch.as_tensor([[1, 0], [0, t]], dtype=torch.float32)
    return isinstance(far, torch.Tensor), steps, moved, empty, more, unknown, host, lower, noise


if __name__ == "__main__":
    torch.set_default_device(torch_xla.device())
    rays([1.0], (2, 1), None)
