import InAppPurchase
import Synchronization

/// The catalog that is served now. Replaced whole.
final class LiveCatalog: Sendable {
    private let file: Mutex<CatalogFile>

    init(_ file: CatalogFile) { self.file = Mutex(file) }

    var current: CatalogFile { file.withLock { $0 } }

    func replace(with newer: CatalogFile) { file.withLock { $0 = newer } }
}
