USE_CUDA = True
if USE_CUDA:
    print("yes")
