import torch
from lib import start

start("nccl", backend="nccl")
BACKEND = "nccl"
start(BACKEND)
