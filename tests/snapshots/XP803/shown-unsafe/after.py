import logging
import torch_xla

print("GPU %s" % torch_xla.device())
print("{}: {}".format(name, torch_xla.device()))
logging.info("GPU %s, 100%%", torch_xla.device())
print(torch_xla.device())
