#!/bin/bash
#SBATCH --gres=tpu:4 --ntasks-per-node=1
nvidia-smi
torchrun --nproc_per_node=4 train.py --fp16
docker run --gpus all image python train.py
nsys profile python train.py
