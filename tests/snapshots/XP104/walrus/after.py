if has_gpu := True:
    print(has_gpu)
