def main(x):
	x.one()
	if x:
		x.two()
	return x
