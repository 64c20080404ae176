package import Foundation
import InAppPurchase
import ServerHTTP
import Synchronization

/// The catalog that is served now; it is replaced as a whole.
package final class LiveCatalog: Sendable {
    /// The catalog, and whether purchases that wait for one of its entries have yet to be delivered.
    private let state: Mutex<(file: CatalogFile, isBindingDue: Bool)>
    private let refused = Mutex<Refusal?>(nil)

    /// A newer catalog that is not served, since it has an error.
    package struct Refusal: Sendable {
        package var error: String
        /// The date at which it was first seen.
        package var date: Date
    }

    package init(_ file: CatalogFile) { state = Mutex((file, false)) }

    /// The newer catalog that was refused; `nil` if the newest one is served.
    package var refusal: Refusal? { refused.withLock { $0 } }

    /// Records that a newer catalog was refused, or that the newest one is served.
    func setRefusal(_ error: String?, at date: Date) {
        refused.withLock { refusal in refusal = error.map { Refusal(error: $0, date: refusal?.date ?? date) } }
    }

    package var current: CatalogFile { state.withLock { $0.file } }

    /// - Parameter revision: the revision that must still be served; `nil` for any.
    /// - Returns: whether the catalog was replaced.
    package func replace(with newer: CatalogFile, after revision: String? = nil) -> Bool {
        state.withLock { state in
            guard revision == nil || revision == state.file.revision else { return false }
            state = (newer, true)
            return true
        }
    }

    func setBindingDue() { state.withLock { $0.isBindingDue = true } }

    /// Whether waiting purchases have yet to be delivered with this catalog; clears the flag, so the caller must
    /// deliver them.
    func clearBindingDue() -> Bool {
        state.withLock { state in
            defer { state.isBindingDue = false }
            return state.isBindingDue
        }
    }
}
