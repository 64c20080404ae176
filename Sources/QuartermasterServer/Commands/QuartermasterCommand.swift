import ArgumentParser
import InAppPurchase

struct QuartermasterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quartermaster",
        abstract: "A server that verifies App Store purchases and delivers what was bought.",
        discussion: """
            Settings come from flags, then from QUARTERMASTER_… environment variables, then from a JSON file: that which \
            --config or QUARTERMASTER_CONFIG names, else quartermaster.json or var/quartermaster.json in this folder.
            Exit status: 0 done, 1 failed, 64 wrong usage.
            """,
        version: "0.1.0",
        subcommands: [
            ServeCommand.self, SimulatorCommand.self, ProductsCommand.self, CatalogCommand.self, BundlesCommand.self,
            AccountsCommand.self, AdminTokenCommand.self, AuditCommand.self, LedgerCommand.self,
            NotificationsCommand.self, DeliveriesCommand.self, ReceiptsCommand.self,
        ])
}

/// A command that needs the handlers of its executable.
protocol ServerCommand: ParsableCommand {
    /// - Throws: an error whose description is one line for the operator.
    func run(handlers: [any ProductHandler.Type]) async throws
}

extension ServerCommand {
    func run() throws { throw CommandError("\(Self._commandName) runs only through Server.main") }
}

/// A command failed: one line that says what and where.
struct CommandError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
