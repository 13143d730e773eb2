import torch_xla.distributed.xla_multiprocessing as xmp
from torch_xla.distributed.xla_multiprocessing import spawn


def _mp_fn(index, flags):
    print(index, flags)


if __name__ == "__main__":
    xmp.spawn(_mp_fn, args=(flags,))
    xmp.spawn(_mp_fn, args=(flags,), nprocs=8, start_method="fork")
    xmp.spawn(_mp_fn, args=(flags,), nprocs=1)
    xmp.spawn(_mp_fn, (flags,), 8, True, False, "fork")
    spawn(_mp_fn, args=(flags,), nprocs=flags.cores, join=True)
    xmp.spawn(
        _mp_fn,
        args=(flags,),
        nprocs=flags.cores if flags.many else None,
        daemon=False,
        join=True,
    )
    xmp.spawn(fn=_mp_fn, nprocs=8, args=(flags,))
xmp.spawn(nprocs=8, fn=_mp_fn, daemon=True)
