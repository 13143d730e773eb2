import logging

import torch

print("GPUs:", torch.cuda.device_count())
logging.info("%d GPUs", torch.cuda.device_count())
print("{} GPUs".format(torch.cuda.device_count()))
