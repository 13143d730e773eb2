from functools import partial

from own import Cache

make = partial(Cache, size=4, pin_memory=True)
