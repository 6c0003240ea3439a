"""One hook run in this process, as an agent would run it, and what it said."""

import json
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest import mock

from builders import Repo
from ktw.hooks.running import Asked, run_hook

RECAPS: list[tuple[object, ...]] = []  # what would have been begun: no test starts an agent
NOW = datetime(2026, 1, 3, 4, 5, 6, tzinfo=UTC)
PAYLOADS = Path(__file__).with_name("hook_payloads")
RECORDED = sorted(path for path in PAYLOADS.glob("*/*.json"))


def recorded(repo: Repo, agent: str, name: str, **more: object) -> dict[str, Any]:
    """A payload of `hook_payloads`, with this project's places and other fields."""
    text = (PAYLOADS / agent / f"{name}.json").read_text(encoding="utf-8")
    text = text.replace("{root}", str(repo.root)).replace("{home}", os.environ["HOME"])
    payload: dict[str, Any] = json.loads(text)
    return payload | more


def hook(
    repo: Repo,
    event: str,
    payload: object,
    agent: str = "claude-code",
    now: datetime = NOW,
    env: Mapping[str, str] | None = None,
) -> Any:
    """What a hook answers: its JSON, or None where it prints nothing."""
    text = payload if isinstance(payload, str) else json.dumps(payload)
    asked = Asked(str(repo.root), agent, event, text, now, env if env is not None else os.environ)
    with mock.patch("ktw.operations.recap.start", side_effect=lambda *told: RECAPS.append(told)):
        answer = run_hook(asked)
    return json.loads(answer) if answer else None


def context(answer: Any) -> str:
    """What an answer adds to the agent's context, in any agent's shape."""
    if answer is None:
        return ""
    found = answer.get("hookSpecificOutput", {}).get("additionalContext", "")
    return str(found or answer.get("additional_context", ""))


def outside_frames(text: str) -> str:
    """What stands in no frame: the lines between the markers left out."""
    kept, inside = [], False
    for line in text.split("\n"):
        inside = inside or line.startswith("<<< UNTRUSTED MEMORY")
        if not inside:
            kept.append(line)
        inside = inside and not line.startswith(">>> END UNTRUSTED MEMORY")
    assert not inside
    return "\n".join(kept)


class Session:
    """A session of an agent that sees only what hooks say."""

    def __init__(self, repo: Repo, name: str) -> None:
        self.repo, self.name, self._at = repo, name, 0

    def _say(self, event: str, **fields: object) -> Any:
        self._at += 1
        names = {
            "session-start": "SessionStart",
            "user-prompt": "UserPromptSubmit",
            "pre-tool": "PreToolUse",
            "stop": "Stop",
            "session-end": "SessionEnd",
        }
        payload = {
            "session_id": self.name,
            "cwd": str(self.repo.root),
            "hook_event_name": names[event],
            "tool_use_id": f"{self.name}-{self._at}" if event == "pre-tool" else "",
            "prompt_id": f"{self.name}-{self._at}" if event == "user-prompt" else "",
        }
        return hook(self.repo, event, payload | fields)

    def start(self) -> str:
        return context(self._say("session-start", source="startup"))

    def prompt(self, words: str, **fields: object) -> Any:
        return self._say("user-prompt", prompt=words, **fields)

    def run(self, command: str, **fields: object) -> str:
        arguments = {"command": command}
        return context(self._say("pre-tool", tool_name="Bash", tool_input=arguments, **fields))

    def use(self, tool: str, **arguments: object) -> str:
        return context(self._say("pre-tool", tool_name=tool, tool_input=arguments))

    def stop(self) -> Any:
        return self._say("stop", stop_hook_active=False)
