"""The answer that Claude Code introduced and several agents take: JSON on standard output."""

from collections.abc import Collection

from ktw.agents.call import Call, Said


def hook_output(
    call: Call, said: Said, told: Collection[str], shown: Collection[str]
) -> dict[str, object] | None:
    """`hookSpecificOutput.additionalContext`, `systemMessage`, or a block with its reason.

    Source: the types `SyncHookJSONOutput` and `*HookSpecificOutput` of the npm package
    @anthropic-ai/claude-agent-sdk 0.3.332.
    """
    if said.receipt:
        return {"decision": "block", "reason": said.receipt}
    answer: dict[str, object] = {}
    if said.context and call.native in told:
        specific = {"hookEventName": call.native, "additionalContext": said.context}
        answer["hookSpecificOutput"] = specific
    if said.message and call.native in shown:
        answer["systemMessage"] = said.message
    return answer or None
