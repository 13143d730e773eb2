import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.xla_dist as xla_dist
from torch_xla.core.functions import nms
from torch_xla.core.xla_model import get_ordinal, is_master_ordinal, xrt_world_size  # one of three is used
from torch_xla.experimental import gpu, tpu
from torch_xla.utils import gcsfs

kind, number = xm.parse_xla_device("xla:0")
keep = nms(boxes, scores, 0, 0.5, 10)
ordinal = getattr(xm, "get_ordinal")
tpu.num_chips()
gcsfs.open("gs://bucket/file")
xla_dist.main()
xm.not_a_name()
torch_xla.utils.tf_record_reader.TfRecordReader("file")
if is_master_ordinal():
    print("first")
