import AdminPages
import InAppPurchase
import Ledger

/// The choice of the app that something is done for: one, or all of them together.
struct AppChoice {
    /// The name of the field and of the query parameter.
    static let name = "app"
    /// The value for all apps, which is the ID of none.
    private static let all = "*"

    private let options: [(value: String, text: String)]

    /// - Throws: 403 for a token that is for none of the catalog's apps.
    init(_ catalog: Catalog, for administrator: Administrator) throws {
        let isEverybody = administrator.reach == .everything
        let apps = catalog.apps.map(\.bundleID).filter(administrator.reach.includes)
        if apps.isEmpty { try administrator.requireEverything() }
        let each = isEverybody && apps.count == 1 ? [] : apps.map { (value: $0.text, text: $0.text) }
        let everything: [(value: String, text: String)] = isEverybody ? [(Self.all, "all apps")] : []
        options = everything + each
    }

    /// The app that a form's value means; `nil` for all of them.
    static func app(_ value: String) -> BundleID? {
        value.isEmpty || value == all ? nil : BundleID(stored: value)
    }

    /// The chosen option, or the only one; `nil` if one is still to be chosen.
    func chosen(_ visit: Visit) -> (value: String, text: String)? {
        guard options.count > 1 else { return options.first }
        return options.first { $0.value == visit.query(Self.name) }
    }

    /// The form that asks for the app.
    func form(_ path: String) -> Form {
        .query(path, [.choice("App", name: Self.name, options)], button: "Preview the result")
    }
}
