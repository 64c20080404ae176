package import Foundation

/// One numbered revision of the catalog.
package struct CatalogRevision: Hashable, Sendable {
    /// A revision without its text, for lists.
    package struct Summary: Hashable, Sendable {
        /// Counts from 1.
        package var number: Int
        /// The actor who added it; `nil` if the server did, from its file.
        package var actor: String?
        package var date: Date
        /// The length of its text, in bytes.
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
    /// The text, in the format of `products.json`, byte for byte.
    package var text: Data

    package init(number: Int, text: Data) {
        self.number = number
        self.text = text
    }
}
