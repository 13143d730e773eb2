import torch_xla


def _mp_fn(index, flags):
    print(index, flags)


if __name__ == "__main__":
    torch_xla.launch(_mp_fn, args=(flags,))
    torch_xla.launch(_mp_fn, args=(flags,), start_method="fork")
    torch_xla.launch(_mp_fn, args=(flags,), debug_single_process=True)
    torch_xla.launch(_mp_fn, (flags,), start_method="fork")
    torch_xla.launch(_mp_fn, args=(flags,), debug_single_process=flags.cores == 1)
    torch_xla.launch(
        _mp_fn,
        args=(flags,),
        debug_single_process=(flags.cores if flags.many else None) == 1,
    )
    torch_xla.launch(fn=_mp_fn, args=(flags,))
torch_xla.launch(fn=_mp_fn)
