"""Loaded by the process of which the workers are twins, and by nobody else (see api.twins): to load it makes that process ready."""

from __future__ import annotations

import gc

from api import warming

warming.read()
gc.freeze()  # what is there now stays, and is shared: no worker looks through it for what can be thrown away
