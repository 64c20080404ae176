package import Foundation

/// The catalog as it was from one change to the next.
package struct CatalogRevision: Hashable, Sendable {
    /// What a list of revisions tells.
    package struct Summary: Hashable, Sendable {
        /// Counts from 1.
        package var number: Int
        /// Who added it; nil: the server itself, from its file.
        package var actor: String?
        package var date: Date
        /// The length of its text.
        package var bytes: Int

        package init(number: Int, actor: String?, date: Date, bytes: Int) {
            self.number = number
            self.actor = actor
            self.date = date
            self.bytes = bytes
        }
    }

    /// Counts from 1.
    package var number: Int
    /// As `products.json` would have it, byte for byte.
    package var text: Data

    package init(number: Int, text: Data) {
        self.number = number
        self.text = text
    }
}
