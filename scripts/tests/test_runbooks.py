"""Alerts that lead to a page, and to a row on it."""

import re

import pytest

import runbooks
from conftest import ROOT

ALERTS = (ROOT / "examples" / "monitoring" / "alerts.yaml").read_text()
URL = "https://example.com/quartermaster/operate/monitoring.html"
NAMED = f"      - alert: Down\n        annotations:\n          runbook_url: {URL}#Down\n"


@pytest.fixture
def site(tmp_path):
    """With the one row that alerts of the tests lead to."""
    page = tmp_path / "operate" / "monitoring.html"
    page.parent.mkdir()
    page.write_text('<tr id="Down">')
    return tmp_path


@pytest.mark.parametrize(("alerts", "count"), [
    (NAMED, 0), (NAMED.replace("#Down", "#Up"), 1), (NAMED + "      - alert: Other\n", 1),
    (NAMED.replace("example.com", "elsewhere.example"), 1)])
def test_an_alert_leads_to_a_row_that_there_is(site, alerts, count):
    assert len(list(runbooks.mistakes(alerts, site))) == count


def test_every_alert_leads_to_a_row_of_the_page():
    page = (ROOT / "docs" / "operate" / "monitoring.md").read_text()
    rows = set(re.findall(r"^\| `(\w+)` \|", page, re.M))
    runbooks_of_page = [row for name, row in runbooks.RUNBOOK.findall(ALERTS) if name == "operate/monitoring.html"]
    assert len(runbooks_of_page) == len(runbooks.ALERT.findall(ALERTS)) > 20
    assert set(runbooks_of_page) <= rows


def test_the_links_begin_with_the_address_of_the_site():
    address = re.search(r'site_url: !ENV \[SITE_URL, "(.+)"\]', (ROOT / "mkdocs.yml").read_text())[1]
    assert ALERTS.count(f"runbook_url: {address}") == len(runbooks.ALERT.findall(ALERTS))
