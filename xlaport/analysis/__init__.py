"""One forward abstract interpretation of a program: what each expression may be, and with what certainty.

It runs in the shadow of `xlaport.facts`, which it is to take the place of (`python -m tools.shadow` sets the two
against each other); no rule asks it yet. Read it in this order: `value`, `definitions`, `library`, `frame`, `calls`,
`expressions`, `statements`, `analysis`.
"""
