import numpy as np
import torch


def places(score):
    table = score.data.cpu().numpy().astype(np.float32)
    return torch.from_numpy((table > 0).astype(np.int32)).to(device=score.device, dtype=score.dtype)
