import torch

a = torch.zeros(3).cuda()  # xlaport: ignore[XP002] with a reason
b = torch.zeros(3).cuda()  # noqa: E501  # xlaport: ignore
c = "# xlaport: nothing"
# about "# xlaport: anything", in a comment
