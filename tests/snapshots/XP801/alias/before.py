import torch.backends.cudnn as cudnn

cudnn.benchmark = True
