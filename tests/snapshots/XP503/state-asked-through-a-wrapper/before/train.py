"""The state is asked for the scale: that of a scaler that is off is empty."""

from scaling import Scaling

scaling = Scaling()
for loss, optimizer in steps():
    scaling(loss, optimizer)
    print(scaling.state_dict()["scale"])
