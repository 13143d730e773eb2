"""What a project says in its ``pyproject.toml`` or ``xlaport.toml``, and what the command line says instead."""
