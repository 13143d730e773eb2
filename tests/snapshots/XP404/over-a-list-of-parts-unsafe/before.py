import torch
from torch import nn

cell = nn.GRUCell(24, 8).cuda()


@torch.no_grad()
def vocode(frames: torch.Tensor, extra: torch.Tensor):
    """A list of parts is gone through in each pass: each of them bakes the counter, as the whole does."""
    frames, extra = frames.cuda(), extra.cuda()
    parts = [extra[:, :, 4 * k : 4 * k + 4] for k in range(3)]
    names = ["a", "b"]
    mixed = [extra]
    mixed.append(names)
    state = torch.zeros(frames.size(0), 8, device="cuda")
    out = []
    for i in range(frames.size(1)):
        one, two, three = (part[:, i, :] for part in parts)
        letters = [name[i] for name in names]
        unknown = [m[i] for m in mixed]
        for number, part in enumerate(parts):
            state = state + part[:, i, :].mean() * number
        state = cell(torch.cat([frames[:, i, :], one, two, three], 1), state)
        out.append((state, letters, unknown))
    return out
