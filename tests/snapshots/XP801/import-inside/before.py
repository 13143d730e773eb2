def main():
    from torch.backends import cudnn

    cudnn.benchmark = True
    cudnn.enabled = False
