import ArgumentParser
import InAppPurchase

/// A command that needs the product handlers of its executable.
protocol ServerCommand: ParsableCommand {
    /// - Throws: an error whose description is one line for the operator.
    func run(handlers: [any ProductHandler.Type]) async throws
}

extension ServerCommand {
    func run() throws { throw CommandError("\(Self._commandName) runs only through Server.main") }
}
