
use = True
