"""Makes the scripts' modules importable as the scripts import each other: by the folders of those that are tested."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# A name that two folders have is the first one's: scripts/interop has a shop and a verification of its own.
FOLDERS = ["scripts", "scripts/bench", "scripts/openapi", "scripts/symbols", "scripts/interop", "scripts/docs", "scripts/faults",
           "scripts/systemd", ".ci"]

sys.path[:0] = [str(ROOT / folder) for folder in FOLDERS]
