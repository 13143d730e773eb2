import numpy as np
import torch

rng = np.random.default_rng(0)
draw = rng.integers
rows = torch.as_tensor(draw(9, size=3)).cuda()
zeros = np.zeros
single = torch.from_numpy(zeros((3, 1), np.float32)).cuda()
wide = rng.random(3)
wide = wide.astype("float32")
narrow = torch.from_numpy(wide).cuda()
host = torch.from_numpy(rng.random(3))
later = torch.as_tensor(rng.random(3)).float().cuda()
summed = (host > 0).cuda()
