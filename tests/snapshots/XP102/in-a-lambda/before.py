import torch

to_gpu = lambda x: x.cuda()
