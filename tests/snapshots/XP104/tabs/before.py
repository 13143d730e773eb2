import torch

def main(x):
	if torch.cuda.is_available():
		x.one()
		if x:
			x.two()
	return x
