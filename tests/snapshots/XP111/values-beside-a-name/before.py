import os

import torch

os.environ.setdefault("MY_DEVICE", "cuda")
kind = os.getenv("KIND", "cuda")
setattr(options, "place", "cuda:0")
other = getattr(options, "place", "cuda")
hook = getattr(options, "cuda")
os.environ.get("cuda")
