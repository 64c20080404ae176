import ServerTestSupport
import Testing

@testable import CommandLine

/// The help for somebody who mistyped a command.
@Suite struct MistypedCommandTests {
    private func mistyped(_ words: String...) -> String? {
        MistypedCommand(in: words, of: QuartermasterCommand.self)?.description
    }

    @Test func `The nearest command is suggested for a mistyped one`() {
        #expect(mistyped("acounts", "show") == "There is no command 'acounts'. Did you mean 'quartermaster accounts'?")
        #expect(mistyped("Stauts") == "There is no command 'Stauts'. Did you mean 'quartermaster status'?")
        #expect(
            mistyped("products", "lst", "--json")
                == "There is no command 'lst'. Did you mean 'quartermaster products list'?")
        #expect(mistyped("xylophone") == "There is no command 'xylophone'.")
        #expect(mistyped(String(repeating: "status", count: 10_000))?.hasSuffix("status'.") == true)
    }

    @Test func `A correct command is not taken for mistyped`() {
        for words in [[], ["status"], ["--version"], ["help", "stauts"], ["products", "--help"]] {
            #expect(MistypedCommand(in: words, of: QuartermasterCommand.self) == nil)
        }
        // The error is in an argument, which the command itself explains.
        #expect(mistyped("accounts", "show", "shwo") == nil)
    }

    @Test(.enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."))
    func `The program suggests the nearest command`() async throws {
        let reported = try await Program.run("ledgr", "verify")
        #expect(reported.status == 64)
        #expect(reported.error.hasPrefix("Error: There is no command 'ledgr'. Did you mean 'quartermaster ledger'?\n"))
    }

    /// Whoever reads "check" in the help of `ledger` types it.
    @Test(.enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."))
    func `The help of a group names no command that only another group has`() async throws {
        var groups: [(name: String, words: Set<String>, commands: Set<String>)] = []
        for name in try await Self.help([]).commands.sorted() {
            let help = try await Self.help([name])
            if !help.commands.isEmpty { groups.append((name, help.words, help.commands)) }
        }
        #expect(groups.count > 10)
        let all = groups.reduce(into: Set<String>()) { $0.formUnion($1.commands) }
        for group in groups {
            let foreign = group.words.intersection(all).subtracting(group.commands)
            #expect(foreign.isEmpty, "\(group.name): \(foreign.sorted())")
        }
    }

    /// The words of the first sentence of a command's help, and the commands below it.
    private static func help(_ command: [String]) async throws -> (words: Set<String>, commands: Set<String>) {
        let text = try await Program.run(command + ["--help"]).output
        let sentence = text.split(separator: "\n\n").first ?? ""
        let list = text.split(separator: "SUBCOMMANDS:").dropFirst().first ?? ""
        let commands = list.matches(of: /^ {2}([a-z][a-z-]*)/.anchorsMatchLineEndings()).map { String($0.output.1) }
        return (Set(sentence.lowercased().matches(of: /[a-z-]+/).map { String($0.output) }), Set(commands))
    }
}
