from jax.sharding import Mesh

from mine import MpDeviceLoader, ShardingSpec, mark_sharding, use_spmd

use_spmd()
mesh = Mesh([0], ("data",))
for weight in model.parameters():
    mark_sharding(weight, mesh, ("data", None))
for x in MpDeviceLoader(batches, device, input_sharding=ShardingSpec(mesh, ("data", None))):
    print(x)
