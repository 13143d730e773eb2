import os
import torch

"""CUDA_VISIBLE_DEVICES=0 python train.py"""
print("CUDA_VISIBLE_DEVICES")  # CUDA_VISIBLE_DEVICES
table = {}
table["CUDA_VISIBLE_DEVICES"] = 1
os.environ["MY_CUDA_VISIBLE_DEVICES"] = "1"
os.environ["OMP_NUM_THREADS"] = "1"
