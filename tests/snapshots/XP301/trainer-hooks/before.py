"""The Trainer of transformers calls compute_loss() in each step."""

from torch.nn import functional as F
from transformers import Trainer


class Weighted(Trainer):
    def compute_loss(self, model, inputs, return_outputs=False, **kwargs):
        labels = inputs.pop("labels")
        outputs = model(**inputs)
        loss = F.cross_entropy(outputs.logits, labels)
        if self.state.global_step % 50 == 0:
            self.log({"mine": loss.item()})
        print("loss", loss.item())
        return (loss, outputs) if return_outputs else loss
