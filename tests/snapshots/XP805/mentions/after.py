import os
import subprocess
import torch

os.environ.setdefault("NCCL_DEBUG", "INFO")
gpus = os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",")
if "NCCL_DEBUG" in os.environ:
    pass
home = os.getenv("CUDA_HOME")
subprocess.run("CUDA_VISIBLE_DEVICES=0 python train.py", shell=True)
subprocess.run(["python", "x.py"], env=dict(os.environ, CUDA_LAUNCH_BLOCKING="1"))
