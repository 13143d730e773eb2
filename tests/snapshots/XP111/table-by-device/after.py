import torch

TRAINS = {"cuda": True, "cpu": True, "mps": False}
READY = {"cuda": True, "cpu": True, "xla": True}
BACKENDS = {
    "cpu": "gloo",
    "cuda": "nccl",
}
