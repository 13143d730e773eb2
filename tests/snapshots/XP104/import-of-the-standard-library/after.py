
import gc

gc.collect()
