CUDA_VISIBLE_DEVICES ?= 0
export NCCL_DEBUG = INFO
train:
	python train.py
