"""Every address of the server."""

from __future__ import annotations

from starlette.routing import BaseRoute, Route

from bakeoff.wings.page import analysis, entrance, refusals, static_files
from bakeoff.wings.page.live import pages

EXCEPTIONS = refusals.EXCEPTIONS


def all_routes() -> list[BaseRoute]:
    """In the order in which they are tried."""
    return [
        Route("/", entrance.first_page, methods=["GET"]),
        Route("/upload", entrance.upload, methods=["POST"]),
        Route("/static/{name}", static_files.static_file, methods=["GET"]),
        *pages.ROUTES,
        Route("/table/{source}", analysis.question, methods=["GET"]),
        Route("/table/{source}/{view}", analysis.view, methods=["GET"]),
        Route("/table/{source}/{view}/part", analysis.part, methods=["GET"]),
        Route("/table/{source}/{view}/save/{suffix}", analysis.save, methods=["GET"]),
    ]
