# What does the client offer? One method per route of the service, and its errors.
from .generated import YoreClient
from .service_calls import ProblemError

__all__ = ["ProblemError", "YoreClient"]
