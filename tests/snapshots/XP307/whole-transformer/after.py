import torch
from torch import nn

model = nn.Transformer(16, 2).to("xla")
decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(16, 2), 2).to("xla")
src = torch.zeros(5, 3, 16, device="xla")
mask = nn.Transformer.generate_square_subsequent_mask(5).to("xla")
out = model(
    src,
    src,
    tgt_mask=mask, tgt_is_causal=False,  # causal
)
both = model(src, src, mask, mask, src_is_causal=False, tgt_is_causal=False)
out = decoder(src, out, mask, tgt_is_causal=False)
