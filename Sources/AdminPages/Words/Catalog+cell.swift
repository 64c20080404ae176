import InAppPurchase
import Ledger

extension Catalog {
    /// A note, with the app where the catalog has several, and with the environment unless it is Production.
    func remark(_ text: String? = nil, of scope: Scope) -> String? {
        let app = apps.map(\.bundleID) == [scope.app] ? nil : scope.app.text
        let parts = [text, app, scope.environment == .production ? nil : scope.environment.rawValue]
        return parts.contains { $0 != nil } ? parts.compactMap { $0 }.joined(separator: ", ") : nil
    }

    /// A product by its name with the ID beneath it, or by the ID alone if the catalog has no name for it.
    func cell(_ id: ProductID, of app: BundleID, note: String? = nil) -> Cell {
        product(id, of: app)?.cell(note: note) ?? Cell(id.text, note: note)
    }

    /// A product in a sentence or in a choice: its name with the ID, or the ID alone.
    func words(_ id: ProductID, of app: BundleID) -> String { product(id, of: app)?.words ?? id.text }
}

extension Product {
    /// The name with the ID beneath it, or the ID alone.
    ///
    /// - Parameter path: of the page to which the name leads; `nil` if it leads nowhere.
    func cell(note: String? = nil, path: String? = nil) -> Cell {
        let title = displayName ?? id.text
        var cell = path.map { Cell.link(title, $0) } ?? Cell(title)
        cell.beneath = displayName == nil ? nil : id.text
        return cell.with(note: note)
    }

    /// The name with the ID, or the ID alone.
    var words: String { displayName.map { "\($0) (\(id))" } ?? id.text }
}
