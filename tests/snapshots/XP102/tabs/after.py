import torch
import torch_xla

def main(x):
	if x is not None:
		x = x.to(torch_xla.device())
	return x
