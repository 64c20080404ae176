import ArgumentParser
import AutoRenewableSubscription
import Consumable
public import InAppPurchase
import NonConsumable
import NonRenewingSubscription

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
            case let command as any ServerCommand: try await command.run(handlers: handlers)
            case var command: try command.run()
            }
        } catch {
            QuartermasterCommand.exit(withError: error)
        }
    }
}
