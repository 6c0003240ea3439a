"""Text that a page does not show: found in each place, left alone where it shows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ktw.text.unrendered import find_unrendered

UNSEEN = {
    "comment": "Notes.\n<!-- WORDS -->",
    "comment to the end": "Notes.\n<!-- WORDS",
    "processing instruction": "<?note WORDS ?>",
    "CDATA": "<![CDATA[WORDS]]>",
    "link title": '[a](b.md "WORDS")',
    "link title in brackets": "[a](b.md (WORDS))",
    "image title": "![a](b.png 'WORDS')",
    "alternative text": "![WORDS](b.png)",
    "alternative text in HTML": '<img src="b.png" alt="WORDS">',
    "definition as a comment": "Notes.\n\n[//]: # (WORDS)",
    "quoted definition": "> [comment]: <> (WORDS)",
    "label": "[WORDS]: #",
    "title of a used definition": 'See [a].\n\n[a]: https://example.invalid "WORDS"',
    "title on the next line": '[a]: https://example.invalid\n  "WORDS"',
    "display": '<span style="display: none">WORDS</span>',
    "visibility": "<p style='visibility:hidden'>WORDS</p>",
    "size": '<p style="color:red; font-size:0px">WORDS</p>',
    "white": '<p style="color:#FFF">WORDS</p>',
    "on its own colour": '<p style="color:#0d1117;background:#0d1117">WORDS</p>',
    "off the page": '<p style="position:absolute;left:-9999px">WORDS</p>',
    "font": '<font color="white">WORDS</font>',
    "hidden": "<div hidden>WORDS</div>",
    "hidden in capitals": '<DIV ID="a" HIDDEN>WORDS</DIV>',
    "class": '<p class="note sr-only">WORDS</p>',
    "template": "<template>WORDS</template>",
    "script": '<script type="text/plain">WORDS</script>',
    "attribute": '<abbr title="WORDS">x</abbr>',
    "data target": "[a](data:text/plain,WORDS)",
    "script target": "[a](JavaScript:WORDS)",
    "script target in entities": "[a](&#106;avascript:WORDS)",
    "script target with a colon in entities": "[a](javascript&colon;WORDS)",
    "script target in wide letters": "[a](\uff4aavascript\uff1aWORDS)",
    "script target in HTML": '<a href="vbscript:WORDS">a</a>',
    "autolink": "<javascript:WORDS>",
}

SEEN = {
    "prose": "WORDS",
    "link": "[WORDS](b.md)",
    "details": "<details><summary>a</summary>WORDS</details>",
    "code": "`<!-- WORDS -->`",
    "fence": "```html\n<!-- WORDS -->\n```",
    "footnote": "a[^1]\n\n[^1]: WORDS are here",
    "used definition": "See [WORDS].\n\n[WORDS]: https://example.invalid",
    "plain style": '<p style="font-size:0.9em; width:100%; opacity:0.8">WORDS</p>',
    "comparison": "a < WORDS and WORDS > b",
    "generics": "List<WORDS> and Map<String, WORDS>",
    "address": "<https://example.invalid/WORDS>",
}


@pytest.mark.parametrize("place", UNSEEN)
def test_unseen_text_is_found_by_itself(place: str) -> None:
    text = UNSEEN[place]
    found = [text[span.start : span.end] for span in find_unrendered(text)]
    assert any("WORDS" in piece for piece in found)
    assert all("Notes." not in piece and "<p" not in piece for piece in found)


@pytest.mark.parametrize("place", SEEN)
def test_text_that_shows_is_left_alone(place: str) -> None:
    text = SEEN[place]
    assert not [span for span in find_unrendered(text) if "WORDS" in text[span.start : span.end]]


MARKS = ["<!--", "-->", "<", ">", "[", "](", ")", "]:", '"', "'", "`", "\n", "a", " hidden", "</p>"]


@given(st.lists(st.sampled_from([*MARKS, "<p", "<?", "(", " ", "=", "\u0130"]), max_size=30))
def test_spans_lie_in_any_text(pieces: list[str]) -> None:
    text = "".join(pieces)
    for span in find_unrendered(text):
        assert 0 <= span.start < span.end <= len(text)
