DEVICE ?= cuda
FLAGS := --device cuda:0 --lr 1
train: data
	@python train.py --device cuda \
	  --epochs 3
# --device cuda
