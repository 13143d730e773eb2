import torch
from torch import nn

model = nn.Transformer(16, 2).to("xla")
encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 2), 2).to("xla")
layer = nn.TransformerEncoderLayer(16, 2).to("xla")
src = torch.zeros(5, 3, 16, device="xla")
mask = nn.Transformer.generate_square_subsequent_mask(5).to("xla")
out = encoder(src, mask, is_causal=True)
out = encoder(src, mask, None, False)
out = encoder(src, src_key_padding_mask=None)
out = encoder(src, mask=None)
out = layer(src, mask)
out = model(src, src, tgt_mask=mask, tgt_is_causal=True)
options = {"mask": mask}
out = encoder(src, **options)
