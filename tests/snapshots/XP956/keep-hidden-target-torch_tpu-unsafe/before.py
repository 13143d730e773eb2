import torch_xla
import torch_xla.distributed.xla_multiprocessing as xmp

result = xmp.spawn(main, args=())
torch_xla.launch(main, args=arguments)
torch_xla.launch(lambda index: print(index))
torch_xla.launch(main, args=(), start_method=choose_and_print())
