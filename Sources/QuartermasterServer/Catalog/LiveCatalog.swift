import InAppPurchase
import Synchronization

/// The catalog that is served now. Replaced whole.
final class LiveCatalog: Sendable {
    /// The file, and whether the ledger has yet to meet it.
    private let state: Mutex<(file: CatalogFile, isBindingDue: Bool)>

    init(_ file: CatalogFile) { state = Mutex((file, false)) }

    var current: CatalogFile { state.withLock { $0.file } }

    /// - Parameter revision: what must be served still; nil: whatever is.
    /// - Returns: whether it was replaced.
    func replace(with newer: CatalogFile, after revision: String? = nil) -> Bool {
        state.withLock { state in
            guard revision == nil || revision == state.file.revision else { return false }
            state = (newer, true)
            return true
        }
    }

    func setBindingDue() { state.withLock { $0.isBindingDue = true } }

    /// Whether the ledger has yet to meet the catalog; whoever is told so sees to it.
    func takeBindingDue() -> Bool {
        state.withLock { state in
            defer { state.isBindingDue = false }
            return state.isBindingDue
        }
    }
}
