import gc

gc.collect()
