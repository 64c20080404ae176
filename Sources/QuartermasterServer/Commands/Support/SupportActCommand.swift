import ArgumentParser
import Foundation
import InAppPurchase
import Ledger

/// A command that does one act of support.
protocol SupportActCommand: ServerCommand {
    var act: SupportOptions { get }

    /// - Throws: ``Problem`` for an app that is not served.
    func request(_ acts: SupportActs) throws -> SupportRequest
}

extension SupportActCommand {
    func run(handlers: [any ProductHandler.Type]) async throws {
        try await act.run(handlers) { acts in
            try await acts.answer(
                to: try request(acts), by: .operatingSystemUser, reason: act.reason, isDryRun: act.dryRun)
        }
    }
}

extension SupportOptions {
    /// Does an act, and prints the answer.
    func run(
        _ handlers: [any ProductHandler.Type], _ body: (SupportActs) async throws -> any Encodable & Sendable
    ) async throws {
        let settings = try await settings.settings()
        let ledger = try LedgerOpener.openExisting(settings.database, handlers: handlers)
        let answer = try await CommandError.naming(settings.databaseName) {
            let (decisions, _) = try await Assembly.context(
                of: settings, handlers: handlers, ledger: ledger, logger: .standardError(settings.logLevel))
            return try await body(SupportActs(ledger: ledger, decisions: decisions))
        }
        try printed(answer)
    }

    /// The same for an act that the store does.
    func run(
        _ handlers: [any ProductHandler.Type],
        _ body: (any Store, SupportActs) async throws -> any Encodable & Sendable
    ) async throws {
        let settings = try await settings.settings()
        let ledger = try LedgerOpener.openExisting(settings.database, handlers: handlers)
        let answer = try await CommandError.naming(settings.databaseName) {
            try await Assembly.withStore(
                settings, handlers: handlers, ledger: ledger, logger: .standardError(settings.logLevel)
            ) { try await body($0, SupportActs(ledger: ledger, decisions: $1)) }
        }
        try printed(answer)
    }

    private func printed(_ answer: any Encodable & Sendable) throws {
        let text = try answer.json
        print(json ? text : try Self.text(text))
    }

    /// A line for each member.
    private static func text(_ json: String) throws -> String {
        guard case .object(let members) = try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8)) else {
            return json
        }
        return members.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.words)".withoutControlCharacters }
            .joined(separator: "\n")
    }
}
