import logging
import torch

print("GPU %d" % torch.cuda.current_device())
print("%s: %02d" % (name, torch.cuda.current_device()))
print("{:>3}".format(torch.cuda.current_device()))
logging.info("GPU %d", torch.cuda.current_device())
