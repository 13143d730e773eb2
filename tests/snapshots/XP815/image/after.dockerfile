FROM nvidia/cuda:12.1.1-devel-ubuntu22.04 AS build
FROM pytorch/pytorch:2.1.0-cuda12.1-cudnn8-runtime
RUN nvidia-smi && nvcc --version
ENTRYPOINT ["torchrun", "--nproc_per_node=2", "train.py"]
