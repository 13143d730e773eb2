from unittest import mock

with mock.patch("torch.cuda.is_available", return_value=False):
    pass
