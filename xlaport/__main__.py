"""``python -m xlaport``."""

from xlaport.cli import main

if __name__ == "__main__":
    main()
