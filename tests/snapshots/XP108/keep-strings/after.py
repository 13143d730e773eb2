print("torch.cuda.FloatTensor")
