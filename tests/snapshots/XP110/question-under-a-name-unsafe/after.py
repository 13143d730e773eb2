multi_gpu = False
if multi_gpu:
    print("many")
