#!/bin/sh
python train.py
OMP_NUM_THREADS=4 python train.py
if true; then python a.py; fi
export NCCL_P2P_DISABLE=1
export CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_VISIBLE_DEVICES=2
CUDA_VISIBLE_DEVICES="" python cpu.py
CUDA_VISIBLE_DEVICES=-1 python cpu.py
CUDA_LAUNCH_BLOCKING=1 \
  python debug.py
env python b.py
