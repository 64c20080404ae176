"""Each alert leads to a row of a page of the site: `make site` calls it with the folder of the site."""

import re
import sys
from pathlib import Path

ALERTS = Path(__file__).resolve().parents[2] / "examples" / "monitoring" / "alerts.yaml"
ALERT = re.compile(r"^ +- alert: (\w+)$", re.M)
RUNBOOK = re.compile(r"^ +runbook_url: https://example\.com/quartermaster/([\w/.-]+\.html)#(\w+)$", re.M)


def mistakes(alerts, site):
    """Of the text of the alerts; site is a folder."""
    if len(ALERT.findall(alerts)) != len(RUNBOOK.findall(alerts)):
        yield "an alert has no runbook_url of the site"
    for page, row in RUNBOOK.findall(alerts):
        if f'id="{row}"' not in (site / page).read_text():
            yield f"{page} has nothing that is called {row}"


if __name__ == "__main__":
    if found := list(mistakes(ALERTS.read_text(), Path(sys.argv[1]))):
        sys.exit("\n".join(f"runbooks: {each}" for each in found))
