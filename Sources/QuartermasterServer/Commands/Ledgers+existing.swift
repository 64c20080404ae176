import Foundation
import InAppPurchase

extension Ledgers {
    /// Opens a ledger that must be there already: a command that looks at one must not make an empty one.
    ///
    /// - Throws: ``CommandFailure`` that names the file.
    static func openExisting(_ path: String, handlers: [any ProductHandler.Type]) throws -> any Ledger {
        guard FileManager.default.fileExists(atPath: path) else { throw CommandFailure("\(path): there is no ledger") }
        return try open(path, handlers: handlers)
    }
}
