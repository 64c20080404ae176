import ArgumentParser
import Foundation
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// A command that does one act of support.
protocol SupportActCommand: ServerCommand {
    var act: SupportOptions { get }
    /// Whether the act depends on what products give. One that does not is done while the catalog is broken, too.
    static var needsCatalog: Bool { get }

    /// - Throws: ``/ServerHTTP/Problem`` for an app that is not served.
    func request(_ acts: SupportActs) throws -> SupportRequest
}

extension SupportActCommand {
    static var needsCatalog: Bool { true }

    func run(_ program: any ServerProgram) async throws {
        try await act.run(program, needsCatalog: Self.needsCatalog) { acts in
            try await acts.answer(
                to: try request(acts), by: .operatingSystemUser, reason: act.reason, isDryRun: act.dryRun)
        }
    }
}

extension SupportOptions {
    /// Does an act, and prints the answer.
    ///
    /// - Parameter isAskedFor: whether the answer is what the act is for, and printed also with `--quiet`.
    func run(
        _ program: any ServerProgram, needsCatalog: Bool = true, isAskedFor: Bool = false,
        _ body: (SupportActs) async throws -> any Encodable & Sendable
    ) async throws {
        let answer = try await settings.withLedger(program.handlers) { ledger, settings in
            let decisions = try await program.context(
                of: settings, ledger: ledger, needsCatalog: needsCatalog, logger: settings.logger)
            return try await body(SupportActs(ledger: ledger, decisions: decisions))
        }
        try printed(answer, isAskedFor: isAskedFor)
    }

    /// The same for an act that the store does.
    func run(
        _ program: any ServerProgram,
        _ body: (any Store, any Ledger, SupportActs) async throws -> any Encodable & Sendable
    ) async throws {
        let answer = try await settings.withLedger(program.handlers) { ledger, settings in
            try await program.withStore(
                settings, ledger: ledger, needsCatalog: true, logger: settings.logger
            ) { try await body($0, ledger, SupportActs(ledger: ledger, decisions: $1)) }
        }
        try printed(answer)
    }

    private func printed(_ answer: any Encodable & Sendable, isAskedFor: Bool = false) throws {
        let text = try answer.json
        guard !json else { return print(text) }
        let lines = try Self.lines(text, for: .standard())
        if dryRun || isAskedFor { print(lines) } else { confirmation.print(lines) }
    }

    /// An answer for people: a line for each member, the state before an act above the state after it.
    static func lines(_ json: String, for output: TextOutput) throws -> String {
        guard case .object(let members) = try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8)) else {
            return json
        }
        func order(_ name: String) -> String { name == "after" ? "before, then after" : name }
        return members.sorted { order($0.key) < order($1.key) }.map {
            "\($0.key): \($0.value.words(output))".withoutControlCharacters
        }
        .joined(separator: "\n")
    }
}

/// The options of all acts of support.
struct SupportOptions: ParsableArguments {
    @OptionGroup var settings: SettingOptions
    @Option(help: "The reason, such as a ticket number and a few words. It is recorded in the audit trail.") var reason:
        String
    @Flag(help: "Print what would change, without changing anything.") var dryRun = false
    @OptionGroup var confirmation: Confirmation
    @Flag(help: "Print JSON.") var json = false
}
