import functools
import torch_xla.distributed.xla_multiprocessing as xmp

contexts = xmp.spawn(_mp_fn, args=(), join=False)
xmp.spawn(_mp_fn, args=(), join=False)
xmp.spawn(*parts)
xmp.spawn(_mp_fn, args=(), daemon=ask())
start = functools.partial(xmp.spawn, _mp_fn)
