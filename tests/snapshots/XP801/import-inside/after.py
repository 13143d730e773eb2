def main():
    from torch.backends import cudnn

