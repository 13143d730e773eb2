import cupy
from numba import cuda

cuda.current_context()
cupy.cuda.Stream()
