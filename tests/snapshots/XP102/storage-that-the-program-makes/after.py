import torch
import torch_xla

import disk

pool = []
pool.append(torch.FloatStorage(8).cuda())
plain = torch.Storage(4)
plain = plain.cuda()
raw = torch.zeros(3).untyped_storage().cuda()
cache = disk.Storage(3).to(torch_xla.device())
