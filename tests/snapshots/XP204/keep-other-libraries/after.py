import cupy
import jax

cupy.cuda.synchronize()
jax.synchronize()
