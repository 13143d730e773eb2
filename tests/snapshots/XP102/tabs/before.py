import torch

def main(x):
	if x is not None:
		x = x.cuda()
	return x
