def set_default_tensor_type(name):
    print(name)


set_default_tensor_type("torch.cuda.FloatTensor")
