import Content
import Foundation
import InAppPurchase
import Ledger
import LedgerSQL
import LedgerSQLite
import NIOHTTP1
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine

/// `quartermaster bundles publish` and what undoes it, as an operator runs them.
@Suite(.enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."))
struct PublishCommandTests {
    @Test func `The publish commands publish, yank and restore versions`() async throws {
        let desk = try PublishingServices()
        let source = try desk.source(["words.txt": "alpha", "a/copy.txt": "alpha", "new.txt": "beta"])
        let publish = ["publish", source, "--bundle", "hard-words", "--version", "1.1.0"]
        let first = try await desk.run(publish)
        #expect(first.status == 0 && first.error == "", "quiet when piped: \(first)")
        #expect(first.output == "hard-words 1.1.0: published, 3 files, 14 bytes\n")
        let again = try await desk.run(publish + ["--json"])
        #expect(again.status == 0 && again.json["changed"] == false && again.json["state"] == "published")
        #expect(try await desk.newest() == "1.1.0")

        #expect(try await desk.run(["yank", "hard-words", "1.1.0"]).output.hasPrefix("hard-words 1.1.0: yanked, "))
        #expect(try await desk.newest() == "1.0.0")
        let list = try await desk.run(["list"])
        #expect(
            list.output == "hard-words\t1.0.0\t1\t3\thard\tpublished\t\t\nhard-words\t1.1.0\t3\t14\thard\tyanked\t\t\n",
            "\(list)")
        #expect(try await desk.run(["restore", "hard-words", "1.1.0", "--json"]).json["state"] == "published")
        let verify = try await desk.run(["verify"])
        #expect(verify.status == 0 && verify.output == "1 bundle, 2 versions, 4 files, 17 bytes, 0 problems\n")
        let rows = try await desk.ledger().auditRows(after: 0, limit: 100)
        #expect(rows.map(\.kind) == ["bundle.published", "bundle.yanked", "bundle.restored"])
        #expect(rows.allSatisfy { $0.actor == "command:\(NSUserName())" })
    }

    @Test func `Programs and scripts in a version are warned of, and published`() async throws {
        let desk = try PublishingServices()
        let source = try desk.source(["words.txt": "alpha", "start": "#!/bin/sh\n", "game.lua": "print(1)"])
        let outcome = try await desk.run(["publish", source, "--bundle", "hard-words", "--version", "1.1.0"])
        let words = "a program or script; App Review refuses apps that download code which changes what they do"
        #expect(outcome.status == 0 && outcome.output == "hard-words 1.1.0: published, 3 files, 23 bytes\n")
        #expect(
            outcome.error == ["game.lua", "start"].map { "warning: \($0): \(words) (guideline 2.5.2)\n" }.joined())
        #expect(try await desk.newest() == "1.1.0")
    }

    @Test func `A version is published with its app versions and languages`() async throws {
        let desk = try PublishingServices()
        let options = [
            "--minimum-app-version", "2.1", "--maximum-app-version", "3", "--locale", "pt-BR", "--essential",
            "--languages", "en, pt-BR",
        ]
        let source = try desk.source(["words.txt": "alpha"])
        let outcome = try await desk.run(["publish", source, "--bundle", "hard-words", "--version", "1.1.0"] + options)
        #expect(outcome.status == 0, "\(outcome)")
        let manifest = try await desk.store().manifest(of: "hard-words", version: nil)
        #expect(manifest?.minimumAppVersion?.description == "2.1.0" && manifest?.locale == "pt-BR")
        #expect(manifest?.isEssential == true && manifest?.languages == ["en", "pt-BR"])
        #expect(manifest?.previousVersions.map(\.description) == ["1.0.0"])
        let list = try await desk.run(["list"]).output.split(separator: "\n")
        #expect(list.last == "hard-words\t1.1.0\t1\t5\thard\tpublished\tyes\ten,pt-BR", "\(list)")
        let versions = try await desk.run(["list", "--json"]).json[0]["versions"]
        #expect(versions[0]["essential"] == .null && versions[0]["languages"] == .null)
        #expect(versions[1]["essential"] == true && versions[1]["languages"] == ["en", "pt-BR"])
    }

    /// 1: one line says what and where. 64: wrong usage, and never the program's own version.
    @Test func `Mistakes of publish commands end with one line and their exit status`() async throws {
        let desk = try PublishingServices()
        let source = try desk.source(["words.txt": "alpha"])
        let (bundle, version) = (["--bundle", "hard-words"], ["--version", "1.1.0"])
        for arguments in [
            [source] + bundle, [source] + version, bundle + version, [source, "--version", "v2"] + bundle,
            [source, "--minimum-app-version", "x"] + bundle + version, [source, "--ptach"] + bundle + version,
            [source, "--content"] + bundle + version, [source, "x"] + bundle + version,
        ] {
            let outcome = try await desk.run(["publish"] + arguments)
            #expect(outcome.status == 64 && outcome.output == "" && outcome.error.hasPrefix("Error: "), "\(outcome)")
        }
        for arguments in [["yank", "hard-words"], ["yank", "hard-words", "x"], ["collect", "--grace", "-1"]] {
            #expect(try await desk.run(arguments).status == 64)
        }
        let link = try desk.source(["a": "a"])
        try FileManager.default.createSymbolicLink(atPath: link + "/b", withDestinationPath: "/etc/passwd")
        let failures = [
            (["publish", source, "--version", "1.0.0"] + bundle, "this version exists with other files or members"),
            (["publish", source, "--version", "0.9.0"] + bundle, "1.0.0 already exists"),
            (["publish", source, "--version", "0.9.0", "--patch"] + bundle, "a patch must be higher"),
            (["publish", source, "--languages", "en,"] + bundle + version, "hard-words 1.1.0: languages: at most 100"),
            (["publish", link] + bundle + version, "\(link)/b: symbolic links are not published"),
            (["publish", "/no/such"] + bundle + version, "/no/such"),
            (["publish", source, "--bundle", "../x"] + version, "../x 1.1.0: the bundle's name"),
            (["yank", "hard-words", "9.0.0"], "hard-words 9.0.0: there is no such version"),
            (["discard", "hard-words", "1.0.0"], "hard-words 1.0.0: "),
            (
                ["publish", source, "--content", "/no/such"] + bundle + version,
                "the content repository cannot be written"
            ),
        ]
        for (arguments, words) in failures {
            let outcome = try await desk.run(arguments)
            #expect(outcome.status == 1 && outcome.output == "" && outcome.error.contains(words), "\(outcome)")
            #expect(outcome.error.split(separator: "\n").count == 1, "\(outcome)")
        }
        #expect(try await desk.newest() == "1.0.0")
    }

    @Test func `The collect command says what it removes`() async throws {
        let desk = try PublishingServices()
        #expect(try await desk.run(["collect"]).output == "0 files and 0 leftovers, 0 bytes removed\n")
        let source = try desk.source(["words.txt": "alpha"])
        _ = try await desk.run(["publish", source, "--bundle", "hard-words", "--version", "1.1.0"])
        try Data("half".utf8).write(to: desk.content.appending(path: ".store/incoming/new-abc"))
        let now = ["collect", "--grace", "0"]
        let dry = try await desk.run(now + ["--dry-run"])
        #expect(dry.output == "0 files and 1 leftover, 4 bytes to remove\n", "\(dry)")
        #expect(try await desk.run(["collect", "--json"]).json == ["objects": 0, "leftovers": 0, "bytes": 0])
        #expect(try await desk.run(now + ["--json"]).json == ["objects": 0, "leftovers": 1, "bytes": 4])
        #expect(try await desk.run(now).output == "0 files and 0 leftovers, 0 bytes removed\n")
        #expect(try await desk.newest() == "1.1.0")
    }

    @Test func `A running server serves a version that a command published`() async throws {
        let desk = try PublishingServices()
        let server = try await ServerProcess(folder: desk.folder, environment: [:])
        try await server.start()
        do {
            let token = try await desk.run(command: ["admin-token", "create", "--name", "a", "--role", "read"]).output
                .trimmingCharacters(in: .newlines)
            let source = try desk.source(["words.txt": "alpha"])
            let publish = ["publish", source, "--bundle", "hard-words", "--version", "1.1.0"]
            #expect(try await desk.run(publish).status == 0)
            try await poll("the version is there") {
                try await server.call(.GET, "/admin/v1/bundles/hard-words/versions", token: token).json["versions"]
                    .array.map { $0["version"] } == ["1.0.0", "1.1.0"]
            }
        } catch {
            try await server.kill()
            throw error
        }
        try await server.kill()
    }

    @Test func `The progress of publishing has bytes, rate and time left`() {
        var progress = PublishingProgress(.writing, total: 40_000_000)
        #expect(progress.text(after: 0) == "copied 0 B of 40.0 MB")
        progress.done = 12_500_000
        #expect(progress.text(after: 2) == "copied 12.5 MB of 40.0 MB, 6.2 MB/s, 5 s left")
        progress = PublishingProgress(.reading)
        progress.done = .max
        #expect(progress.text(after: 1e-9).hasPrefix("read 9223372.0 TB, "))
        (progress.done, progress.total) = (1, .max)
        #expect(progress.text(after: 1e300).contains("0 B/s"))
    }
}
