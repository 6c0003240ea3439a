"""Which memory file was renamed: by bytes before Ids before lines, and never twice."""

from builders import make_id, memory_text
from keep_the_why_lint.change import ChangedFile, Side
from keep_the_why_lint.renames import pair_renamed


def _gone(name: str, text: str) -> ChangedFile:
    path = f"context/{name}.md"
    return ChangedFile(path, path, Side("file", text.encode()), Side(), path, path)


def _came(name: str, text: str) -> ChangedFile:
    path = f"context/{name}.md"
    return ChangedFile(path, "", Side(), Side("file", text.encode()), path, "")


def _pairs(*files: ChangedFile) -> dict[str, str]:
    stem = lambda path: path.removeprefix("context/").removesuffix(".md")  # noqa: E731
    return {stem(file.path): stem(file.was) for file in pair_renamed(files)}


ONE, TWO = memory_text("One", "The first words.\n\nMore."), memory_text("Two", "Other words.")


def test_the_same_bytes_are_a_rename() -> None:
    assert _pairs(_came("a", ONE), _gone("b", ONE)) == {"a": "b"}
    assert _pairs(_came("a", ONE), _came("c", ONE), _gone("b", ONE)) == {"a": "b", "c": ""}


def test_bytes_come_before_lines() -> None:
    near = memory_text("Near", "The first words.\n\nMore.")
    assert _pairs(_came("a", near), _came("z", ONE), _gone("b", ONE)) == {"a": "", "z": "b"}


def test_an_id_is_kept_through_an_edit() -> None:
    edited = memory_text("Else", "Nothing of it is left.", id_=make_id("One"))
    assert _pairs(_came("a", edited), _gone("b", ONE), _gone("c", TWO)) == {"a": "b", "c": "c"}


def test_half_of_the_lines_are_enough() -> None:
    edited = memory_text("One", "The first words.\n\nChanged.", id_=make_id("x"))
    assert _pairs(_came("a", edited), _gone("b", ONE)) == {"a": "b"}


def test_what_only_has_the_form_in_common_is_no_rename() -> None:
    assert _pairs(_came("a", TWO), _gone("b", ONE)) == {"a": "", "b": "b"}


def test_many_files_are_each_paired_with_their_own() -> None:
    texts = {f"n{at}": memory_text(f"N{at}", "The same words in all of them.") for at in range(60)}
    gone = [_gone(f"old-{name}", text) for name, text in texts.items()]
    came = [_came(f"new-{name}", text + "\nMore.\n") for name, text in texts.items()]
    assert _pairs(*gone, *came) == {f"new-{name}": f"old-{name}" for name in texts}
