"""The shipped alerts, made to fire and to end within seconds, and what a Prometheus says of them."""

import re

# Of a range such as [10m]: some scrapes of one second.
WINDOW = "15s"
FOR = re.compile(r"(?m)^( +for:) \w+$")
RANGE = re.compile(r"\[\d+[smhd]\]")
NAME = re.compile(r"(?m)^ +- alert: (\w+)$")
CONFIGURATION = """
global: {{scrape_interval: 1s, evaluation_interval: 1s}}
rule_files: [{rules}]
scrape_configs:
  - job_name: quartermaster
    static_configs: [{{targets: {targets}}}]
"""


def hurried(text):
    """The same alerts, which wait for a second instead of minutes, and look back for less. What they ask stays."""
    return RANGE.sub(f"[{WINDOW}]", FOR.sub(r"\1 1s", text))


def names(text):
    return set(NAME.findall(text))


def firing(answer):
    """Of what /api/v1/alerts answers: the links of the alerts that fire, by their names."""
    return {alert["labels"]["alertname"]: alert["annotations"].get("runbook_url", "")
            for alert in answer["data"]["alerts"] if alert["state"] == "firing"}
