import common

DEVICE = "cuda"
common.prepare(device=DEVICE)
