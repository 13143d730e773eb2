import logging

import torch_xla

print(float(torch_xla.device().index or 0))
logger = logging.getLogger("training")
if not logger.handlers:
    logger.addHandler(logging.NullHandler())
    logger.setLevel(logging.INFO)
print(1)
