import os

os.environ["CUDA_VISIBLE_DEVICES"] = "0"
os.environ["CUDA_VISIBLE_DEVICES"] += ",1"
os.environ["NCCL_DEBUG"] = "INFO"
del os.environ["NCCL_DEBUG"], os.environ["HOME"]
