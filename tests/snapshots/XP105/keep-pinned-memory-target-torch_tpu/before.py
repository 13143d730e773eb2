from torch.utils.data import DataLoader

loader = DataLoader(range(8), batch_size=2, pin_memory=True)
