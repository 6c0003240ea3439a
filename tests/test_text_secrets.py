"""Secrets: the kinds that must be found, broken up invisibly too; placeholders that must not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ktw.text.secrets import find_secrets

TAIL = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"

# Put together here so that no scanner takes this file for a leak.
SECRETS = {
    "AWS access key": "AKIA" + "Z7Q4M2X9K1R8T5W3",
    "AWS secret key": "aws_secret_access_key = " + "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzTTKEYabc",
    "GitHub ghp": "ghp_" + TAIL,
    "GitHub gho": "gho_" + TAIL,
    "GitHub fine-grained": "github_pat_" + TAIL,
    "GitLab": "glpat-" + TAIL[:20],
    "Slack": "xoxb-" + "123456789012-" + TAIL[:24],
    "Stripe": "sk_live_" + TAIL[:24],
    "npm": "npm_" + TAIL,
    "PyPI": "pypi-" + "AgEIcHlwaS5vcmc" + TAIL,
    "Hugging Face": "hf_" + TAIL[:34],
    "OpenAI": "sk-proj-" + TAIL,
    "Anthropic": "sk-ant-" + "api03-" + TAIL,
    "Google": "AIza" + TAIL[:35],
    "JWT": "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0In0." + "abcDEF123_-x",
    "private key": "-----BEGIN RSA "
    + "PRIVATE KEY-----\nMIIEpAIBAAKC\n-----END RSA PRIVATE KEY-----",
    "private key without an end": "-----BEGIN " + "PRIVATE KEY-----\nMIIEpAIBAAKCAQEAabc123\n",
    "URL": "postgres://admin:" + "s3cr3tpw@db.internal:5432/x",
    "Bearer": "Authorization: Bearer " + TAIL[:20],
    "Basic": "Authorization: Basic " + "dXNlcjpwYXNzd29yZDE=",
    "quoted password": 'password = "' + 'hunter2"',
    "password with blanks": '"password": "' + 'correct horse battery"',
    "five characters": "password: " + "hunt3",
    "environment": "DB_PASSWORD=" + "pl4intext",
    "token": "token: '" + "a1b2c3d4e5f6'",
    "API key": "api_key: " + "9f8e7d6c5b4a39281706",
    "prose": "the password is " + "hunter2",
    "prose, quoted": 'The admin password for the wiki is "' + 'swordfish".',
}

SECRETS |= {
    "Google OAuth": "GOCSPX-" + TAIL[:28],
    "Azure storage": "AccountName=x;AccountKey=" + TAIL * 2 + "aBcDeF01234567==",
    "Azure client secret": "q1W8Q~" + TAIL[:34],
    "Telegram": "123456789:AA" + TAIL[:33],
    "Discord webhook": "https://discord.com/api/webhooks/123456789012345678/" + TAIL * 2,
    "Discord bot": "MTk4NjIyNDgzNDcxOTI1MjQ4." + "Cl2FMQ." + TAIL[:27],
    "Twilio": "SK" + "0123456789abcdef" * 2,
    "Artifactory": "AKC" + TAIL[:13],
    "the shortest key": "AKC" + TAIL[:10],
    "Vault": "hvs." + TAIL[:28],
    "Docker": "dckr_pat_" + TAIL[:27],
    "GitLab runner": "glrt-" + TAIL[:20],
    "in bold": "the password is **" + "hunter2**",
    "in code": "password: `" + "hunter2`",
    "bold label": "**Password:** " + "hunter2",
    "bold inside": "gh**p_" + TAIL[:10] + "**" + TAIL[10:],
    "tag inside": "ghp_" + TAIL[:10] + "<b>" + TAIL[10:] + "</b>",
    "entities": "".join(f"&#{ord(c)};" for c in "ghp_" + TAIL),
    "escaped": "ghp\\_" + TAIL,
    "percent": "next=password%3D" + "hunter2%21",
    "wrapped": "AKIA" + "Z7Q4M2\nX9K1R8T5W3",
    "wrapped in a quotation": "glpat-" + TAIL[:9] + "\n> " + TAIL[9:22],
    "kennwort": "Das Kennwort lautet " + "sommer2024!",
}

NO_SECRETS = [
    "token: <token>",
    "password: xxxx",
    "PASSWORD=$TOKEN",
    'password = "example"',
    "password: ***",
    "Bearer authentication",
    "the password is stored in the keychain",
    "token: string",
    "password: required",
    "The password is hashed with argon2id.",
    'api_key = os.environ["API_KEY"]',
    "token=${GITHUB_TOKEN}",
    "ghp_" + "x" * 36,
    "https://user:$PASS@host",
    "secret: my-secret",
    "Tokens expire after 15 minutes.",
    "password: {{ vault_pw }}",
    "your password is changeme",
    "https://example.invalid:8080/a@b",
    "basic functionality of everything",
    "Integrity sha512-" + "b7Qx0zT1" * 10 + "Zw==",
    "Commit 3f2504e04f8911d39a0c0305e82c3301abcdef12 changed the token parser.",
    "**Id:** 2f1c5b7e-8a3d-4c6e-9b0f-1d2e3f4a5b6c",
    "The key- and value-store; key-value pairs are kept.",
    "Tokens are issued by\nghp_ and gho_ prefixes.",
    "password: ***",
    "password=***&user=admin1",
    "the password is **required**",
    "passed: 12 of 14 tests, token count 4096",
    "**Secret scanning:** enabled by default since 2024",
    "access_token: <your-token-here>",
    "AKIAIOSFODNN7EXAMPLE",
    "ssh-ed25519 " + "AAAAC3NzaC1lZDI1NTE5AAAAI" + TAIL + " ada@example.invalid",
    "api_key=test_key",
    "secret: ${{ secrets.DEPLOY_TOKEN }}",
]


@pytest.mark.parametrize("kind", SECRETS)
def test_secret_is_found_and_not_repeated(kind: str) -> None:
    text = f"Note: {SECRETS[kind]} and so on."
    spans = find_secrets(text)
    assert spans, kind
    for span in spans:
        assert span.code == "S101"
        assert span.why
        assert text[span.start : span.end] not in span.why


@pytest.mark.parametrize("kind", SECRETS)
def test_invisible_characters_hide_no_secret(kind: str) -> None:
    text = "\u200b".join(SECRETS[kind])
    spans = find_secrets(text)
    assert spans
    assert all("\u200b" not in text[span.start] for span in spans)


@pytest.mark.parametrize("text", NO_SECRETS)
def test_placeholders_and_talk_are_no_secrets(text: str) -> None:
    assert find_secrets(text) == []


def test_a_private_key_is_one_span_to_its_end() -> None:
    key = SECRETS["private key"]
    (span,) = find_secrets(f"before\n{key}\nafter")
    assert f"before\n{key}\nafter"[span.start : span.end] == key


def test_one_letter_alone_gets_longer_in_lower_case() -> None:
    longer = [c for c in map(chr, range(0x110000)) if len(c.lower()) != 1]
    assert longer == ["\u0130"]
    text = "\u0130 password: hunter22!x"
    assert [text[span.start : span.end] for span in find_secrets(text)] == ["hunter22!x"]


@pytest.mark.parametrize(
    "wrap", ["\n", " \n", "  \r\n", "\r\n", "\t\n> ", "\t\t\t\t\r\n| | ", "\t\r\n  "]
)
def test_a_key_is_found_across_line_breaks(wrap: str) -> None:
    key = SECRETS["GitLab"]
    text = f"see {key[:15]}{wrap}{key[15:20]}{wrap}{key[20:]}"
    assert [text[span.start : span.end] for span in find_secrets(text)] == [text[4:]]


def test_a_secret_is_covered_where_another_seems_to_go_on_into_it() -> None:
    for first, second in (("Artifactory", "GitLab"), ("GitHub ghp", "Slack"), ("npm", "PyPI")):
        for between in ("\n", " \n| ", "\n- "):
            text = f"| {SECRETS[first]}{between}{SECRETS[second]} |"
            told = {at for span in find_secrets(text) for at in range(span.start, span.end)}
            for secret in (SECRETS[first], SECRETS[second]):
                at = text.index(secret)
                assert told.issuperset(range(at, at + len(secret))), text


def test_two_secrets_are_two_spans() -> None:
    text = f"{SECRETS['GitLab']} {SECRETS['Slack']}"
    assert [span.why for span in find_secrets(text)] == ["GitLab token", "Slack token"]


@given(
    st.one_of(
        st.text(alphabet=st.characters(), max_size=80),
        st.lists(
            st.sampled_from(
                [
                    "password",
                    " is ",
                    "=",
                    '"',
                    "token",
                    ": ",
                    "://",
                    "@",
                    "a1B2c3",
                    "\n",
                    "\u200b",
                    "Bearer ",
                    "-----BEGIN PRIVATE KEY-----",
                    "eyJ",
                    "ghp_",
                    ".",
                ]
            ),
            max_size=20,
        ).map("".join),
    )
)
def test_spans_lie_in_any_text_in_order(text: str) -> None:
    reached = 0
    for span in find_secrets(text):
        assert reached <= span.start < span.end <= len(text)
        reached = span.end
