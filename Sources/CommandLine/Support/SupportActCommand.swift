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

    /// The same as a request to a distant server, without the reason.
    var remote: RemoteQuestion { get throws }
}

extension SupportActCommand {
    static var needsCatalog: Bool { true }

    func run(_ program: any ServerProgram) async throws {
        try await act.run(program, or: remote, needsCatalog: Self.needsCatalog) { acts in
            try await acts.answer(
                to: try request(acts), by: .operatingSystemUser, reason: act.reason, isDryRun: act.dryRun)
        }
    }
}

extension SupportOptions {
    /// Does an act, and prints the answer.
    ///
    /// - Parameters:
    ///   - question: the act as a request to a distant server, without the reason.
    ///   - isAskedFor: whether the answer is what the act is for, and printed also with `--quiet`.
    func run(
        _ program: any ServerProgram, or question: @autoclosure () throws -> RemoteQuestion,
        needsCatalog: Bool = true, isAskedFor: Bool = false,
        _ body: (SupportActs) async throws -> any Encodable & Sendable
    ) async throws {
        if let server = try settings.remote { return try await run(question(), at: server, isAskedFor: isAskedFor) }
        let answer = try await settings.withLedger(program.handlers) { ledger, settings in
            let decisions = try await program.context(
                of: settings, ledger: ledger, needsCatalog: needsCatalog, logger: settings.logger)
            return try await body(SupportActs(ledger: ledger, decisions: decisions))
        }
        try printed(answer.json, isAskedFor: isAskedFor)
    }

    /// The same for an act that the store does.
    func run(
        _ program: any ServerProgram, or question: @autoclosure () throws -> RemoteQuestion,
        _ body: (any Store, any Ledger, SupportActs) async throws -> any Encodable & Sendable
    ) async throws {
        if let server = try settings.remote { return try await run(question(), at: server) }
        let answer = try await settings.withLedger(program.handlers) { ledger, settings in
            try await program.withStore(
                settings, ledger: ledger, needsCatalog: true, logger: settings.logger
            ) { try await body($0, ledger, SupportActs(ledger: ledger, decisions: $1)) }
        }
        try printed(answer.json)
    }

    private func run(_ question: RemoteQuestion, at server: RemoteServer, isAskedFor: Bool = false) async throws {
        var question = question
        let members = try question.body.map { try JSONDecoder().decode([String: JSONValue].self, from: $0) } ?? [:]
        question.body = Data(try members.merging(["reason": .string(reason)]) { $1 }.json.utf8)
        if dryRun { question.query["dryRun"] = "true" }
        let answer = String(decoding: try await server.ask(question).body, as: UTF8.self)
        // A route that has nothing to say answers 204.
        try printed(answer.isEmpty ? "{\"done\":true}" : answer, isAskedFor: isAskedFor)
    }

    private func printed(_ text: String, isAskedFor: Bool = false) throws {
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
