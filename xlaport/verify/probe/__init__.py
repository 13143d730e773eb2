"""What runs inside the child: it counts around torch_xla's own entry points and writes events.

These modules are loaded in the child under the name ``_xlaport_verify.probe`` (see `sitecustomize`), where
the rest of xlaport is not importable: they import nothing but each other, `..events` and, once they are
there, torch and torch_xla.
"""
