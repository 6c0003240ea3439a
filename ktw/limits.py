"""How much recall shows where nobody says otherwise: bare numbers, so that who asks a warm ktw
imports nothing that answers.
"""

BUDGET = 4000  # characters of each memory's text
DEFAULT_LIMIT, MORE_LIMIT = 5, 20  # memories
