import os

os.environ["NCCL_DEBUG"] = "INFO"
run()
del os.environ["NCCL_DEBUG"]
os.environ.pop("CUDA_LAUNCH_BLOCKING", None)
