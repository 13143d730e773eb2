class cudnn:
    benchmark = False


cudnn.benchmark = True
