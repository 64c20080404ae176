import ArgumentParser
import AutoRenewableSubscription
import CommandLine
import Consumable
import Foundation
public import InAppPurchase
import Ledger
import Logging
import NonConsumable
import NonRenewingSubscription
import ServerCore
import ServerHTTP

/// The server as a library: a custom server is an executable that calls ``main(handlers:)`` with its own handlers.
public enum Server {
    /// The handlers of the App Store's four product types.
    public static let standardHandlers: [any ProductHandler.Type] = [
        Consumable.self, NonConsumable.self, NonRenewingSubscription.self, AutoRenewableSubscription.self,
    ]

    /// Runs the command that the process was started with, and ends the process with status 0 (done), 1 (failed) or 64
    /// (wrong usage).
    ///
    /// - Parameter handlers: the product types that `products.json` may name, such as `Server.standardHandlers +
    ///   [MyHandler.self]`.
    public static func main(handlers: [any ProductHandler.Type] = standardHandlers) async {
        let arguments = CommandLine.arguments.dropFirst()
        do {
            if let mistyped = MistypedCommand(in: arguments, of: QuartermasterCommand.self) {
                throw ValidationError(mistyped.description)
            }
            switch try QuartermasterCommand.parseAsRoot() {
            case let command as any ServerCommand: try await command.run(Program(handlers: handlers))
            case var command: try command.run()
            }
        } catch {
            QuartermasterCommand.exit(withError: error)
        }
    }
}

/// A program with these product handlers.
private struct Program: ServerProgram {
    let handlers: [any ProductHandler.Type]

    func serve(_ settings: Settings, ledger: any Ledger, metrics: ServerMetrics, logger: Logger) async throws {
        let assembly = try await Assembly.build(
            settings, handlers: handlers, ledger: ledger, clock: { Date() }, random: systemRandomBytes, logger: logger,
            metrics: metrics, environment: ProcessInfo.processInfo.environment)
        try await assembly.run(at: settings.listeningPlaces, logger)
    }

    func context(
        of settings: Settings, ledger: any Ledger, needsCatalog: Bool, logger: Logger
    ) async throws -> ServingContext {
        try await Assembly.context(
            of: settings, handlers: handlers, ledger: ledger, needsCatalog: needsCatalog, logger: logger
        ).decisions
    }

    func withStore<Result: Sendable>(
        _ settings: Settings, ledger: any Ledger, needsCatalog: Bool, logger: Logger,
        _ body: (any Store, ServingContext) async throws -> Result
    ) async throws -> Result {
        try await Assembly.withStore(
            settings, handlers: handlers, ledger: ledger, needsCatalog: needsCatalog, logger: logger, body)
    }
}
