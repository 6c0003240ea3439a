"""What is found by the words alone, whatever the script: short tokens, paths, unspaced text."""

from datetime import UTC, datetime

import pytest

from builders import Repo, memory_text
from ktw.operations.reading import recall

NOW = datetime(2026, 2, 1, tzinfo=UTC)
TEXTS = {
    "Chinese": "\u6570\u636e\u5e93\u8fc1\u79fb\u5fc5\u987b\u5148\u5907\u4efd",
    "Russian": (
        "\u0420\u0435\u0437\u0435\u0440\u0432\u043d\u044b\u0435 \u043a\u043e\u043f\u0438\u0438 "
        "\u0445\u0440\u0430\u043d\u044f\u0442\u0441\u044f \u043d\u0435\u0434\u0435\u043b\u044e."
    ),
    "Thai": (
        "\u0e2a\u0e33\u0e23\u0e2d\u0e07"
        "\u0e02\u0e49\u0e2d\u0e21\u0e39\u0e25\u0e17\u0e38\u0e01\u0e27\u0e31\u0e19"
    ),
    "Short": "The db is kept by its owner.",
    "Path": "It is read by src/foo_bar.py first.",
    "Long": "The weather was fine. " * 2500 + "The needle lies here.",
}


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("\u8fc1\u79fb", "Chinese"),
        (
            "\u0433\u0434\u0435 \u0445\u0440\u0430\u043d\u0438\u0442\u0441\u044f "
            "\u0440\u0435\u0437\u0435\u0440\u0432\u043d\u0430\u044f \u043a\u043e\u043f\u0438\u044f",
            "Russian",
        ),
        ("\u0e02\u0e49\u0e2d\u0e21\u0e39\u0e25", "Thai"),
        ("db", "Short"),
        ("src/foo_bar.py", "Path"),
        ("fooBar", "Path"),
        ("needle", "Long"),
    ],
)
def test_the_words_alone_find_it_first(repo: Repo, question: str, title: str) -> None:
    for name, text in TEXTS.items():
        repo.write(f"context/{name.lower()}.md", memory_text(name, text))
    answer = recall(repo.project, question, NOW, model="off")
    assert answer.found[0].reading.entry.title == title
