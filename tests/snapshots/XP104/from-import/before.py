from torch.cuda import is_available

use = is_available()
