package import ArgumentParser
package import InAppPurchase
package import Ledger
package import Logging
package import ServerCore

/// The executable that the commands are of: it has the product handlers, and assembles the server.
package protocol ServerProgram: Sendable {
    var handlers: [any ProductHandler.Type] { get }

    /// Serves until SIGTERM or SIGINT, then completes the requests in progress.
    func serve(_ settings: Settings, ledger: any Ledger, metrics: ServerMetrics, logger: Logger) async throws

    /// The context of a command that decides as a server would.
    ///
    /// - Parameter needsCatalog: `false` to count a catalog that cannot be read as one without apps.
    /// - Throws: ``/ServerCore/CommandError`` that names the place of a catalog that is needed, and the error in it.
    func context(
        of settings: Settings, ledger: any Ledger, needsCatalog: Bool, logger: Logger
    ) async throws -> ServingContext

    /// Lets a command ask the App Store as a server would, and closes the connections afterwards.
    ///
    /// - Parameter needsCatalog: as in ``context(of:ledger:needsCatalog:logger:)``.
    func withStore<Result: Sendable>(
        _ settings: Settings, ledger: any Ledger, needsCatalog: Bool, logger: Logger,
        _ body: (any Store, ServingContext) async throws -> Result
    ) async throws -> Result
}

/// A command that needs the program it is of.
package protocol ServerCommand: ParsableCommand {
    /// - Throws: an error whose description is one line for the operator.
    func run(_ program: any ServerProgram) async throws
}

extension ServerCommand {
    package func run() throws { throw CommandError("\(Self._commandName) runs only through Server.main") }
}
