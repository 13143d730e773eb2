def show(x):
    print("on the GPU:", x.is_cuda)
