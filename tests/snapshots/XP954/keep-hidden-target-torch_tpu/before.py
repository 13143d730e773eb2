import torch_xla.core.xla_model as xm

add = xm.add_step_closure
xm.add_step_closure(log, args=arguments)
xm.add_step_closure(*closure)
if xm.add_step_closure(log):
    print()
