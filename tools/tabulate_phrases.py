"""Write what the phrases of the directive rules are looked up by, after a change of any of them.

    python tools/tabulate_phrases.py

A recall would else spend more time on this table than on the search itself.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from ktw.text.directives import RULES
from ktw.text.directives.lookup import TABLE, table_of

if __name__ == "__main__":
    text = json.dumps(table_of(RULES)._asdict(), ensure_ascii=True, indent=0)
    TABLE.write_text(text + "\n", encoding="ascii")
