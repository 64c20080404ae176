import InAppPurchase
import Synchronization

/// The catalog that is served now; it is replaced as a whole.
final class LiveCatalog: Sendable {
    /// The catalog, and whether purchases that wait for one of its entries have yet to be delivered.
    private let state: Mutex<(file: CatalogFile, isBindingDue: Bool)>

    init(_ file: CatalogFile) { state = Mutex((file, false)) }

    var current: CatalogFile { state.withLock { $0.file } }

    /// - Parameter revision: the revision that must still be served; `nil` for any.
    /// - Returns: whether the catalog was replaced.
    func replace(with newer: CatalogFile, after revision: String? = nil) -> Bool {
        state.withLock { state in
            guard revision == nil || revision == state.file.revision else { return false }
            state = (newer, true)
            return true
        }
    }

    func setBindingDue() { state.withLock { $0.isBindingDue = true } }

    /// Whether waiting purchases have yet to be delivered with this catalog; resets the flag, so the caller must
    /// deliver them.
    func takeBindingDue() -> Bool {
        state.withLock { state in
            defer { state.isBindingDue = false }
            return state.isBindingDue
        }
    }
}
