import os

os.environ["CUDA_VISIBLE_DEVICES"] = "0"
gpus = os.environ["CUDA_VISIBLE_DEVICES"].split(",")
