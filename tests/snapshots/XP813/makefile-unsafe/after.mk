DEVICE ?= xla
FLAGS := --device xla --lr 1
train: data
	@python train.py --device xla \
	  --epochs 3
# --device cuda
