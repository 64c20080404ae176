"""The bill of materials of a release: every package that was resolved, as SPDX 2.3 has it."""

import json
import re

import pytest

import sbom

ARGUMENTS = ["--version", "1.2.0", "--revision", "a" * 40, "--source", "https://github.com/someone/quartermaster",
             "--created", "2026-12-01T00:00:00Z", "--swift", "6.3"]
NIO = {"identity": "swift-nio", "kind": "remoteSourceControl", "location": "https://github.com/apple/swift-nio.git",
       "state": {"revision": "b" * 40, "version": "2.101.0"}}
GRDB = {"identity": "grdb.swift", "kind": "remoteSourceControl", "location": "https://github.com/groue/GRDB.swift",
        "state": {"branch": "main", "revision": "c" * 40}}


@pytest.fixture
def written(tmp_path, monkeypatch, capsys):
    def write(pins, version=3):
        resolved = tmp_path / "Package.resolved"
        resolved.write_text(json.dumps({"originHash": "d", "pins": pins, "version": version}))
        monkeypatch.setattr(sbom, "RESOLVED", resolved)
        sbom.main(ARGUMENTS)
        return json.loads(capsys.readouterr().out)
    return write


def test_the_document_is_about_the_program_and_names_its_commit(written):
    bill = written([])
    assert {name: bill[name] for name in ("spdxVersion", "dataLicense", "SPDXID", "name", "documentNamespace")} == {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": "quartermaster-1.2.0",
        "documentNamespace": f"https://github.com/someone/quartermaster/sbom/1.2.0/{'a' * 40}"}
    assert bill["creationInfo"] == {"created": "2026-12-01T00:00:00Z", "creators": ["Tool: scripts/sbom.py"]}
    assert bill["relationships"][0] == {
        "spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
        "relatedSpdxElement": "SPDXRef-Package-quartermaster"}
    assert [each["downloadLocation"] for each in bill["packages"]] == [
        f"git+https://github.com/someone/quartermaster@{'a' * 40}", "https://www.swift.org/install/"]


def test_each_resolved_package_has_its_commit_and_is_depended_on(written):
    bill = written([NIO, GRDB])
    packages = {each["name"]: each for each in bill["packages"]}
    assert list(packages) == ["quartermaster", "swift", "grdb.swift", "swift-nio"]
    assert packages["swift-nio"] == {
        "SPDXID": "SPDXRef-Package-swift-nio", "name": "swift-nio", "versionInfo": "2.101.0", "filesAnalyzed": False,
        "downloadLocation": f"git+https://github.com/apple/swift-nio@{'b' * 40}",
        "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                          "referenceLocator": "pkg:swift/github.com/apple/swift-nio@2.101.0"}]}
    assert packages["grdb.swift"]["versionInfo"] == "c" * 40, "a branch has no version"
    assert [each["relatedSpdxElement"] for each in bill["relationships"] if each["relationshipType"] == "DEPENDS_ON"] \
        == [each["SPDXID"] for each in bill["packages"][1:]]


def test_ids_are_of_the_characters_that_spdx_allows(written):
    bill = written([{**NIO, "identity": "swift_nio+"}])
    assert all(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", each["SPDXID"]) for each in bill["packages"])


@pytest.mark.parametrize("version", [1, 4])
def test_a_format_of_another_kind_is_refused(written, version):
    with pytest.raises(ValueError, match=f"format {version}"):
        written([], version)
