"""Cuts a long text into passages at its paragraphs, headings and sentences, as spans.

Pure text; knows nothing of vectors and nothing of what a reader is shown.
"""

from ktw.text.sentences import Bounds, sentence_bounds

# In characters: about 80 words of English, and few enough that a passage has one subject.
PASSAGE = 500


def passage_bounds(text: str, size: int = PASSAGE) -> list[Bounds]:
    """(start, end) of the passages of `text` in order; they cover all that is not blank.

    A text of up to one and a half times `size` characters is one passage. A passage ends where a
    sentence ends, earlier at a paragraph or heading; only a sentence longer than `size` is cut at a
    blank inside.
    """
    if len(text) <= _whole(size):
        return [(0, len(text))]
    passages: list[Bounds] = []
    for start, end in _pieces(text, size):
        if passages and _goes_on(text, passages[-1], start, end, size):
            passages[-1] = (passages[-1][0], end)
        else:
            passages.append((start, end))
    return passages or [(0, len(text))]


def _whole(size: int) -> int:
    return size * 3 // 2


def _goes_on(text: str, passage: Bounds, start: int, end: int, size: int) -> bool:
    """Whether what stands from `start` to `end` goes on with a passage that ends before it."""
    begun, ended = passage
    length = ended - begun
    if length < size // 4:  # a heading, a short line: nothing by itself
        return end - begun <= _whole(size)
    if text.startswith("#", start) or (length > size // 2 and "\n\n" in text[ended:start]):
        return False
    return end - begun <= size


def _pieces(text: str, size: int) -> list[Bounds]:
    """The sentences of `text`, those longer than `size` in several pieces."""
    found: list[Bounds] = []
    for start, end in sentence_bounds(text):
        while end - start > size:
            blank = text.rfind(" ", start + 1, start + size)
            at = blank + 1 if blank > 0 else start + size
            found.append((start, at))
            start = at
        found.append((start, end))
    return found


def around(text: str, best: Bounds, budget: int) -> Bounds:
    """The sentences from the one that `best` begins in, then those before it, as far as at most
    `budget` characters reach. A first sentence longer than that is cut, at a blank where one is
    near.
    """
    bounds = sentence_bounds(text) or [(0, len(text))]
    first = max((at for at, (start, _) in enumerate(bounds) if start <= best[0]), default=0)
    start, end = bounds[first]
    if end - start > budget:
        return start, end_of_cut(text, start, budget)
    for _, later in bounds[first + 1 :]:
        if later - start > budget:
            break
        end = later
    for earlier, _ in reversed(bounds[:first]):
        if end - earlier > budget:
            break
        start = earlier
    return start, end


def end_of_cut(text: str, start: int, budget: int) -> int:
    """Where to cut `text` so that it has at most `budget` characters from `start`."""
    end = start + budget
    blank = max(text.rfind(" ", start, end), text.rfind("\n", start, end))
    return blank if blank - start > budget * 3 // 4 else end
