# How are requests sent to the service? With the standard library, to one address, with the key in a header.
from __future__ import annotations

import json
import time
from typing import Any, Mapping
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener
from uuid import uuid4


class ProblemError(Exception):
    """An error of the service as in RFC 9457: `problem["code"]` names it, `retry_after` is in seconds or None."""

    def __init__(self, problem: Mapping[str, Any], retry_after: float | None) -> None:
        super().__init__(problem.get("detail") or f"status {problem['status']}")
        self.problem = problem
        self.retry_after = retry_after


class _NoRedirect(HTTPRedirectHandler):
    """The key and the documents go to one address and nowhere else."""

    def redirect_request(self, *_: Any) -> None:
        return None


_opener = build_opener(_NoRedirect)


def _read_problem(error: HTTPError) -> ProblemError:
    try:
        said = json.loads(error.read(1 << 20))
    except ValueError:
        said = {}
    problem = {"type": "about:blank", "title": error.reason, "code": "UNKNOWN", "detail": ""}
    problem.update(said if isinstance(said, dict) else {}, status=error.code)
    seconds = error.headers.get("retry-after", "")
    return ProblemError(problem, float(seconds) if seconds.isdecimal() else None)


def _write_form(form: Mapping[str, Any]) -> tuple[bytes, str]:
    mark = uuid4().hex
    # The service reads fields before the file.
    parts: list[bytes] = []
    for name, value in sorted(form.items(), key=lambda item: isinstance(item[1], bytes)):
        is_file = isinstance(value, bytes)
        about = f'--{mark}\r\ncontent-disposition: form-data; name="{name}"'
        about += '; filename="file"\r\ncontent-type: application/octet-stream' if is_file else ""
        parts.append(f"{about}\r\n\r\n".encode() + (value if is_file else str(value).encode()) + b"\r\n")
    return b"".join(parts) + f"--{mark}--\r\n".encode(), f"multipart/form-data; boundary={mark}"


class ServiceCalls:
    """The base class of the generated client. Requests that the service is too busy for are tried again."""

    def __init__(self, url: str, key: str, *, timeout: float = 60, tries: int = 1) -> None:
        self._url = url.rstrip("/")
        self._key = key
        self._timeout = timeout
        self._tries = tries

    def _open(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        form: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> Any:
        query, body, form = (
            None if given is None else {name: value for name, value in given.items() if value is not None}
            for given in (query, body, form)
        )
        headers = {"authorization": f"Bearer {self._key}"}
        data = None
        if body is not None:
            data, headers["content-type"] = json.dumps(body).encode(), "application/json"
        if form is not None:
            data, headers["content-type"] = _write_form(form)
        if idempotency_key is not None:
            headers["idempotency-key"] = idempotency_key
        url = self._url + path + (f"?{urlencode(query)}" if query else "")
        request = Request(url, data=data, headers=headers, method=method)
        for left in reversed(range(self._tries)):
            try:
                return _opener.open(request, timeout=self._timeout)
            except HTTPError as error:
                problem = _read_problem(error)
                if left == 0 or error.code not in (429, 503):
                    raise problem from None
                time.sleep(problem.retry_after or 1)

    def _request_bytes(self, method: str, path: str, **sent: Any) -> bytes:
        with self._open(method, path, **sent) as response:
            return response.read()

    def _request_json(self, method: str, path: str, **sent: Any) -> Any:
        return json.loads(self._request_bytes(method, path, **sent))
