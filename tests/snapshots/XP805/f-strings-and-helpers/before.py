import os
import subprocess

print(f"GPUs: {os.environ['CUDA_VISIBLE_DEVICES']}")
os.system(f"CUDA_VISIBLE_DEVICES={gpu} python train.py")
variables = os.environ.copy()
variables["NCCL_DEBUG"] = "INFO"
if flag("NCCL_P2P_DISABLE") or name == "CUDA_VISIBLE_DEVICES":
    pass


def test(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")
