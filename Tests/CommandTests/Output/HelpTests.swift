import Foundation
import InAppPurchase
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine

/// The help of all commands.
@Suite(.enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."))
struct HelpTests {
    /// The settings that nearly every command takes would fill a third of all help.
    @Test func `The help of a command has one line about the settings`() async throws {
        let root = try await Program.run("--experimental-dump-help").json["command"]
        let commands = Self.commands(root).filter { Self.options($0, areShown: nil).contains("database") }
        #expect(commands.count > 50)
        for command in commands where command["commandName"] != "serve" {
            let hidden = Self.options(command, areShown: false)
            #expect(hidden == ["products", "content", "database"], "\(command["commandName"])")
            #expect(Self.options(command, areShown: true).contains("config"), "\(command["commandName"])")
        }
        let help = try await Program.run("products", "list", "--help").output.split(separator: "\n")
        #expect(
            help.filter { $0.contains("--config") || $0.contains("--database") } == [
                "USAGE: quartermaster products list [--config <config>] [--server <server>] [--json]",
                "  --config <config>       A settings file; --database and others: serve --help.",
            ], "\(help)")
        let serve = try await Program.run("serve", "--help").output
        for option in ["--config", "--products", "--content", "--database"] {
            #expect(serve.contains("\n  \(option) <"), "\(option): \(serve)")
        }
    }

    @Test func `Each command has a man page`() async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        let script = Project.folder("scripts/man_pages.py")
        let made = try await Program.run(
            ["python3", "-B", script, ServerProcess.executable.path, folder.path("man")],
            executable: URL(filePath: "/usr/bin/env"))
        #expect(made.status == 0, "\(made)")
        let root = try await Program.run("--experimental-dump-help").json["command"]
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path("man/man1"))
        // All but `help`.
        #expect(pages.count == Self.commands(root).count - 1 && pages.contains("quartermaster-keys-root-create.1"))
        let page = try String(contentsOfFile: folder.path("man/man1/quartermaster-products-edit.1"), encoding: .utf8)
        for line in [".SH SYNOPSIS", ".SH SETTINGS", #"\fB\-\-set\fR \fI<set>\fR"#, ".SH EXAMPLES"] {
            #expect(page.contains("\n\(line)\n"), "\(page)")
        }
    }

    /// A command and those below it.
    private static func commands(_ command: JSONValue) -> [JSONValue] {
        [command] + command["subcommands"].array.flatMap(commands)
    }

    /// The long names of a command's options.
    ///
    /// - Parameter areShown: `nil` for all of them.
    private static func options(_ command: JSONValue, areShown: Bool?) -> [String] {
        command["arguments"].array
            .filter { $0["kind"] == "option" && (areShown == nil || $0["shouldDisplay"].flag == areShown) }
            .compactMap { $0["preferredName"]["name"].text }
    }
}
