import os
import sys

os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ["NVIDIA_VISIBLE_DEVICES"] = sys.argv[1] if len(sys.argv) > 1 else "-1"
os.environ["CUDA_DEVICE_ORDER"] = ""
