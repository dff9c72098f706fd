"""A module that cannot be imported."""

import no_such_module  # type: ignore[import-not-found]  # noqa: F401
