/// The packs and themes that are installed and readable, by what their own files say.
package struct Shelf: Sendable, Equatable {
    /// One of them.
    package struct Item: Sendable, Equatable {
        package enum Kind: Sendable, Equatable {
            case words(count: Int)
            case theme(Theme)
        }

        /// The name of the bundle.
        package let bundle: String
        package let title: String
        package let kind: Kind

        package init(bundle: String, title: String, kind: Kind) {
            self.bundle = bundle
            self.title = title
            self.kind = kind
        }
    }

    package var items: [Item]

    package init(_ items: [Item] = []) {
        self.items = items
    }

    package subscript(bundle: String) -> Item? {
        items.first { $0.bundle == bundle }
    }

    /// The theme of a bundle; `nil` if it is not here, or is no theme.
    package func theme(_ bundle: String?) -> Theme? {
        guard let bundle, case .theme(let theme) = self[bundle]?.kind else { return nil }
        return theme
    }
}
