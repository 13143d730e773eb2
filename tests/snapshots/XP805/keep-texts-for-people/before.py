import logging
import os

logging.info("set CUDA_VISIBLE_DEVICES=0 to choose a GPU")
parser.add_argument("--gpu", help="sets CUDA_VISIBLE_DEVICES=")
if os.path.exists("x"):
    raise RuntimeError(f"CUDA_LAUNCH_BLOCKING=1 may help, {name}")
assert os.sep, "NCCL_DEBUG=INFO says more"
columns = read("RANK")
table["CUDA_HOME"] = 1
upgrade(cfg, "CUDNN_BENCHMARK")
