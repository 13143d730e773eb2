import logging
import sys
import warnings

import torch

if not torch.cuda.is_available():
    print("no GPU")
    sys.exit(1)
if not torch.cuda.is_available():
    logging.warning("no GPU")
if torch.cuda.is_available():
    logging.info("GPU")
else:
    warnings.warn("no GPU")
