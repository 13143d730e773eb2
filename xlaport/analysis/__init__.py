"""One forward abstract interpretation of a program: what each expression may be, and with what certainty.

It is to replace `xlaport.facts` (`python -m tools.shadow` compares the two); the first rule that asks it is XP203. Read
it in this order: `value`, `events`, `scopes`, `definitions`, `library`, `frame`, `methods`, `calls`, `uses`,
`expressions`, `statements`, `analysis`, `order`.
"""
