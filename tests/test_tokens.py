"""Terms: the same words however they are written, in any script, in linear time."""

import time
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ktw.text.languages import languages_of
from ktw.text.tokens import MAX_TERM, is_extra, is_one_word, split, tokenize, words


def languages_in(text: str) -> tuple[str, ...]:
    return languages_of(split(text).words)


def indexed(text: str) -> set[str]:
    """What a text is found by."""
    return set(tokenize(text, languages_in(text)))


def finds(query: str, text: str) -> bool:
    """True when what is asked for stands in the text: every term but those that only repeat."""
    asked = words(query)
    whole = {term for term in asked if not is_extra(term)} or asked
    return bool(whole) and whole <= indexed(text)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("analysis", "see src/analysis.ipynb"),
        ("ipynb", "see src/analysis.ipynb"),
        ("src/foo_bar.py", "in `src/foo_bar.py:12`"),
        ("foo bar", "in src/foo_bar.py"),
        ("py", "in src/foo_bar.py"),
        ("C:\\Users\\ada", "C:/Users/Ada"),
        ("camelCase", "camel_case"),
        ("camel_case", "camelCase"),
        ("camel-case", "CamelCase"),
        ("camel", "camelCase"),
        ("CAMEL_CASE", "camelCase"),
        ("HTTPServerError", "http_server_error"),
        ("server error", "HTTPServerError"),
        ("getURL2", "getURL2()"),
        ("url", "getURL2()"),
        ("__init__", "the __init__ method"),
        ("foo__bar", "foo_bar"),
        ("v1.10.3", "since v1.10.3"),
        ("1.10", "since 1.10"),
        ("dry run", "--dry-run"),
        ("--dry-run", "dryRun"),
        ("sha256", "sha256:deadbeef"),
        ("os.path.join", "use os.path.join(a, b)"),
        ("user@example.invalid", "mail user@example.invalid"),
    ],
)
def test_paths_and_identifiers_are_found_by_whole_and_by_part(query: str, text: str) -> None:
    assert finds(query, text)


@pytest.mark.parametrize(
    "word", ["db", "py", "js", "ci", "C", "go", "k8s", "x", "5", "r", "µs", "ä"]
)
def test_words_of_one_and_two_characters_are_kept(word: str) -> None:
    assert finds(word, f"we chose {word} for that")
    assert not finds(word, "we chose another for that")


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("why do we retry", "Retries are bounded"),
        ("deploying", "we deploy"),
        ("policies", "one policy"),
        ("базе данных", "база данных"),
        ("приложения", "приложением"),
        ("учет", "учёт"),
        ("café", "CAFE"),
        ("cafe\u0301", "caf\u00e9"),
        ("Größe", "GRÖSSE"),
        ("naive", "naïve"),
        ("istanbul", "İSTANBUL"),
        ("Οδός", "ΟΔΟΣ"),
        ("ｆｕｌｌ", "full"),
        ("ﬁle", "file"),
        ("𝓗ello", "hello"),
        ("שָׁלוֹם", "שלום"),
        ("مَرْحَبًا", "مرحبا"),
        ("مرحـــبا", "مرحبا"),
        ("Ёлка", "елки"),
    ],
)
def test_inflection_case_and_marks_make_no_difference(query: str, text: str) -> None:
    assert words(query) & indexed(text)
    assert finds(query, text) or len(words(query)) > 1


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("缓冲", "同步步骤在重放缓冲区之前等待完整快照"),
        ("完整快照", "同步步骤在重放缓冲区之前等待完整快照"),
        ("サーバー", "新しいサーバーを再起動する"),
        ("記憶", "記憶は消えない"),
        ("데이터", "데이터베이스를"),
        ("ข้อมูล", "ฐานข้อมูลหลัก"),
        ("ខ្មែរ", "ភាសាខ្មែរ"),
        ("မြန်မာ", "မြန်မာဘာသာ"),
        ("db", "使用db存储"),
        ("存储", "使用db存储"),
        ("𠀀𠀁", "漢𠀀𠀁字"),
        ("锁", "加 锁 失败"),
        ("锁", "加锁失败"),
        ("放", "同步步骤在重放缓冲区之前等待完整快照"),
        ("器", "新しい仮想器を再起動する"),
        ("서", "서버를"),
        ("ก", "ฐานข้อมูลกลาง"),
    ],
)
def test_case_24_scripts_without_blanks_are_found_by_a_part(query: str, text: str) -> None:
    assert finds(query, text)


def test_one_character_of_a_run_is_another_than_its_neighbours() -> None:
    assert not finds("锁", "加密失败")
    assert not finds("锁加", "加锁失败")


INFLECTIONS = {
    "en": "connection/connections query/queries delete/deleted cache/caching check/checking",
    "de": "Datenbank/Datenbanken Verbindung/Verbindungen Größe/Größen Haus/Häuser Fehler/Fehlern "
    "Anfrage/Anfragen Zugriff/Zugriffe verschlüsselt/verschlüsselte Log-Sicherung/Sicherungen",
    "es": "conexión/conexiones clave/claves guardar/guardado versión/versiones archivo/archivos "
    "cifrado/cifrada borrar/borramos",
    "fr": "connexion/connexions requête/requêtes clé/clés système/systèmes journal/journaux "
    "supprimer/supprimé configuré/configurée requetes/requête",
    "pt": "conexão/conexões chave/chaves versão/versões arquivo/arquivos migração/migrações "
    "cifrado/cifrada apagar/apagado",
    "it": "connessione/connessioni richiesta/richieste utente/utenti versione/versioni "
    "cancellare/cancellato errore/errori tabella/tabelle",
    "ru": "база/базы соединение/соединения ключ/ключами запрос/запросов файл/файлов "
    "настройка/настройки очередь/очереди сервер/серверах",
}
SENTENCES = {
    "en": "Here we write of {} and why it was done with that.",
    "de": "Hier steht, warum wir {} nicht mehr für die anderen haben und das so ist.",
    "es": "Aquí se explica por qué no tenemos {} en los otros y cómo es con la vez.",
    "fr": "Voici pourquoi nous avons {} dans les autres et comment elle est sur la page.",
    "pt": "Aqui está por que não temos {} nos outros e como isso foi feito com a vez.",
    "it": "Qui si spiega perché non abbiamo {} nella parte e come è stato con gli altri.",
    "ru": "Здесь написано, почему у нас нет {} и как это было сделано для других.",
}
PAIRS = [(code, *pair.split("/")) for code, told in INFLECTIONS.items() for pair in told.split()]


@pytest.mark.parametrize(("language", "one", "other"), PAIRS)
def test_a_word_is_found_by_its_other_forms(language: str, one: str, other: str) -> None:
    """Asked as a word alone, which no language can be told from."""
    for asked, written in ((one, other), (other, one)):
        text = SENTENCES[language].format(written)
        assert languages_in(text) == ((language,) if language not in ("en", "ru") else ())
        assert words(asked) & (indexed(text) - indexed(SENTENCES[language].format("")))


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("warum werden Sitzungen gelöscht", "Die Sitzung wird im cron job gelöscht, not by us."),
        ("почему падает deployment", "Деплой: deployments падали по ночам."),
        ("为什么 timeout 太短", "网关的timeout设置太短导致失败"),
        ("datenbank timeouts", "Der timeout der Datenbanken ist zu kurz und wird nicht gelesen."),
        ("the timeout of the Datenbank", "Der timeout der Datenbank ist zu kurz und das so."),
        ("Datenbank сервер", "Die Datenbanken und das System: на сервере для них нет места."),
    ],
)
def test_texts_in_two_languages_are_found(question: str, text: str) -> None:
    assert len(words(question) & indexed(text)) >= 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Søren", "Soren"),
        ("łódź", "lodz"),
        ("Đà Nẵng", "Da Nang"),
        ("œuvre", "oeuvre"),
    ],
)
def test_letters_that_a_keyboard_lacks_are_folded(one: str, other: str) -> None:
    assert finds(one, other) and finds(other, one)


def test_a_question_in_english_is_looked_for_as_it_is() -> None:
    assert not any(is_extra(term) for term in words("why do we retry the failed requests"))
    assert not any(is_extra(term) for term in words("retry_budget HttpClient 403"))


def test_small_words_of_another_language_are_not_looked_for() -> None:
    assert words("warum wird der Puffer geleert") == words("Puffer geleert der")
    assert words("почему это так") == set()


def test_a_foreign_name_makes_no_text_foreign() -> None:
    english = (
        "The plan of Los Angeles, de facto, was made by the team in la Rochelle that has it. " * 9
    )
    assert languages_in(english) == ()
    assert languages_in("") == languages_in("x") == ()


def test_characters_that_render_as_nothing_hide_no_word() -> None:
    for hidden in "\u200b\u200c\u200d\u2060\ufeff\u00ad\u202e\u202c\u2066\u2069\u061c\u180e":
        assert tokenize(f"pass{hidden}word") == tokenize("password"), ascii(hidden)
        assert finds("deploy", f"{hidden}dep{hidden}{hidden}loy{hidden}"), ascii(hidden)
        assert words(f"Ab{hidden}fragen") == words("Abfragen"), ascii(hidden)
        assert finds("缓冲", f"重放缓{hidden}冲区"), ascii(hidden)
    tags = "".join(chr(0xE0000 + ord(char)) for char in "tag")
    assert finds("deploy", f"dep{tags}loy")


def test_words_that_say_nothing_are_left_out_but_not_from_identifiers() -> None:
    assert tokenize("What is it that we have and why?") == []
    assert tokenize("is_valid") == ["isvalid", "valid"]
    assert tokenize("") == tokenize(" \n\t.,;:!?()[]{}\"'`*_-#") == []


@pytest.mark.parametrize(
    ("question", "sought"),
    [
        ("What did we say about snapshots?", "snapshots"),
        ("which memory mentions what was told of the db", "memory db"),
        ("What kind of cache is it?", "cache"),
        ("which other types of checks run", "checks run"),
        ("the type of kind is sorted", "type kind sorted"),
        ("What kind of?", "kind"),
        ("say", "say"),
    ],
)
def test_what_only_asks_is_not_looked_for(question: str, sought: str) -> None:
    assert {term for term in words(question) if not is_extra(term)} == set(tokenize(sought))


@pytest.mark.parametrize(
    ("question", "one"),
    [
        ("db", True),
        ("the `db`?", True),
        ("snake_case", True),
        ("db ci", False),
        ("the", False),
        ("", False),
        ("\u6570\u636e\u5e93", False),
        ("db \u6570", False),
    ],
)
def test_one_word(question: str, one: bool) -> None:
    assert is_one_word(question) == one


def test_repeats_are_kept_in_order() -> None:
    assert tokenize("buffer sync buffer") == ["buffer", "sync", "buffer"]


_UNITS = {
    "letters": "A",
    "camel": "Aa",
    "shout": "AAAa",
    "snake": "a_",
    "dashes": "-_",
    "digits": "1",
    "blanks": " ",
    "cjk": "记",
    "thai": "ก",
    "one letter expands": "\ufdfa",
    "combining": "\u0301",
    "zero width": "a\u200b",
    "bidi": "\u202ea\u202c",
    "cyrillic": "б",
    "words": "базами deploying ",
    "accents": "é",
    "emoji": "\U0001f600",
    "private": "\ue000",
    "brackets": "([{<",
    "nul": "a\x00",
}


@pytest.mark.parametrize("unit", _UNITS.values(), ids=_UNITS)
def test_a_megabyte_of_anything_is_tokenized_in_bounded_time(unit: str) -> None:
    text = unit * (1024 * 1024 // len(unit.encode()))
    started = time.process_time()
    tokenize(text)
    assert time.process_time() - started < 8


@given(st.text(st.characters(), max_size=80))
@example("\ud800a")
@example("a\udce9b")
@example("_" * 10 + "\u0301_a")
@example("б\u0301_-б")
def test_any_text_gives_short_folded_terms(text: str) -> None:
    terms = tokenize(text)
    assert all(0 < len(term) <= MAX_TERM for term in terms)
    assert all(term.encode() for term in terms)
    assert all(not term.isspace() and term == term.strip() for term in terms)


@given(st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=60))
def test_composed_or_not_makes_no_difference(text: str) -> None:
    one = tokenize(unicodedata.normalize("NFC", text))
    assert tokenize(unicodedata.normalize("NFD", text)) == one


@given(st.text("abcXYZ019_-./ é记ก", max_size=60))
def test_case_of_plain_words_makes_no_difference(text: str) -> None:
    lower = text.lower()
    assert set(tokenize(lower)) == set(tokenize(lower.upper().lower()))
