import numba.cuda
from numba import cuda

cuda.synchronize()
numba.cuda.current_context()
