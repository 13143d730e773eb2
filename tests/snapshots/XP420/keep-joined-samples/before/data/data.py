from data.molecules import Molecules
from data.roads import Roads


def by_name(name):
    if name == "molecules":
        return Molecules()
    if name == "roads":
        return Roads()
