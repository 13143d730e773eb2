import logging
import torch

print("GPU %s" % torch.cuda.current_device())
print("{}: {}".format(name, torch.cuda.current_device()))
logging.info("GPU %s, 100%%", torch.cuda.current_device())
print(torch.cuda.current_device())
