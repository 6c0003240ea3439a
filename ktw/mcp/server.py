"""The loop: one thread listens and answers what is quick, one works through the calls in order.

Whatever comes in is answered under its id: by a result, or by an error that says why there is none.
"""

import threading
from collections.abc import Iterable, Sequence
from queue import Empty, SimpleQueue
from typing import NamedTuple

from ktw.errors import EXIT_BUG
from ktw.mcp.answers import refusal
from ktw.mcp.methods import METHODS, Method, check
from ktw.mcp.protocol import (
    CANCELLED,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    Client,
    ProtocolError,
    asking,
    finished,
    handshake,
)
from ktw.mcp.session import Session
from ktw.mcp.wire import (
    INVALID_REQUEST,
    Id,
    Json,
    Message,
    Notification,
    Output,
    Request,
    Response,
    Unreadable,
)
from ktw.trouble import trouble

_ROOTS_S = 5.0  # how long a client may take to name its directories
_ROOTS_ID = "ktw-roots"


class Job(NamedTuple):
    """A request for the worker, and who sent it."""

    request: Request
    client: Client
    method: Method


class Server:
    """Serves one connection. What the worker does is done by one thread, one call at a time: what
    it holds (git's processes, the index, the model) is shared with nobody."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._client: Client | None = None
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._waiting: dict[Id, Job] = {}
        self._lock = threading.Lock()
        self._roots: SimpleQueue[Sequence[str]] = SimpleQueue()
        self._session: Session

    def serve(self, session: Session, messages: Iterable[Message]) -> None:
        """Answer until the client says no more; what was asked before that is still answered."""
        self._session = session
        worker = threading.Thread(target=self._work, name="ktw-mcp-worker")
        worker.start()
        try:
            for message in messages:
                self._receive(message)
        finally:
            self._roots.put(())
            self._jobs.put(None)
            worker.join()

    def _receive(self, message: Message) -> None:
        match message:
            case Request():
                self._answer(message)
            case Notification("notifications/cancelled", params):
                self._cancel(params.get("requestId"))
            case Response(id, result) if id == _ROOTS_ID:
                self._roots.put(_uris(result))
            case Unreadable(id, code, why):
                self._output.error(id, code, why)

    # --- requests ------------------------------------------------------------------------------

    def _answer(self, request: Request) -> None:
        """Answer a request at once where that is quick, else leave it to the worker."""
        try:
            if request.method == "initialize":
                check(request.method, request.params)
                self._client, result = handshake(request.params)
                self._output.result(request.id, result)
                return
            method = METHODS.get(request.method)
            if method is None:
                raise ProtocolError(METHOD_NOT_FOUND, "there is no such method here")
            client = self._asking(request)
            refused = check(request.method, request.params)
        except ProtocolError as error:
            self._output.error(request.id, error.code, error.message, error.data)
            return
        job = Job(request, client, method)
        if refused is not None:
            self._give(job, refused)
        elif method.slow:
            self._leave(job)
        else:
            self._carry_out(job)

    def _asking(self, request: Request) -> Client:
        if request.method == "ping" and self._client is None:
            return Client("", "", False)
        return asking(request.params, self._client)

    def _leave(self, job: Job) -> None:
        with self._lock:
            known = self._waiting.setdefault(job.request.id, job)
        if known is not job:
            self._output.error(job.request.id, INVALID_REQUEST, "a request with that id is waiting")
            return
        self._jobs.put(job)

    def _carry_out(self, job: Job) -> None:
        """Answer a request; the one boundary of this surface."""
        request, client = job.request, job.client
        try:
            result = job.method.answer(self._session, client, request.params)
            self._give(job, result)
        except ProtocolError as error:
            self._output.error(request.id, error.code, error.message, error.data)
        except Exception as error:  # noqa: BLE001 (whatever happens, the client gets its answer)
            self._tell(job, error)

    def _give(self, job: Job, result: Json) -> None:
        method = job.request.method
        self._output.result(job.request.id, finished(result, method, job.client))

    def _tell(self, job: Job, error: Exception) -> None:
        what, todo, exit_code = trouble(error)
        if job.request.method == "tools/call":
            self._give(job, refusal(what, todo))
            return
        code = INTERNAL_ERROR if exit_code == EXIT_BUG else INVALID_PARAMS
        self._output.error(job.request.id, code, f"{what}. {todo}".strip(". "))

    # --- the worker ----------------------------------------------------------------------------

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            with self._lock:
                is_wanted = self._waiting.pop(job.request.id, None) is job
            if is_wanted:
                self._carry_out(job)

    def _cancel(self, id_: object) -> None:
        """Drop a call that was not begun. One that was is finished and answered: what it wrote is
        written, and its client should know."""
        with self._lock:
            job = self._waiting.pop(id_, None) if isinstance(id_, int | str) else None
        # A newer client is not to hear of it any more (2026-07-28, transports, "Cancellation").
        if job is not None and not job.client.is_modern:
            self._output.error(job.request.id, CANCELLED, "cancelled before it began; nothing done")

    def roots(self) -> Sequence[str]:
        """The URIs of the client's directories; asked for by the worker, which waits for them."""
        self._output.write({"jsonrpc": "2.0", "id": _ROOTS_ID, "method": "roots/list"})
        try:
            return self._roots.get(timeout=_ROOTS_S)
        except Empty:
            return ()


def _uris(result: Json | None) -> Sequence[str]:
    roots = (result or {}).get("roots")
    if not isinstance(roots, list):
        return ()
    found = (root.get("uri") for root in roots if isinstance(root, dict))
    return [uri for uri in found if isinstance(uri, str)]
