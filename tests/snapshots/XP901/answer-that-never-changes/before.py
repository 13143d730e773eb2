import torch_xla.runtime as xr

if xr.using_pjrt():
    start()
else:
    connect()
launch = start if xr.using_pjrt() else connect
if ready and xr.using_pjrt():
    start()
print(f"{xr.using_pjrt()}")
