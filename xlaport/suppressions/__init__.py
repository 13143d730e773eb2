"""Comments that ask to leave something as it is: ``# xlaport: ignore[XP301]``, ``# xlaport: skip-file``."""
