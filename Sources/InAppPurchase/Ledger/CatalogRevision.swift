public import Foundation

/// The catalog as it was from one change to the next.
public struct CatalogRevision: Hashable, Sendable {
    /// What a list of revisions tells.
    public struct Summary: Hashable, Sendable {
        /// Counts from 1.
        public var number: Int
        /// Who added it; nil: the server itself, from its file.
        public var actor: String?
        public var date: Date
        /// The length of its text.
        public var bytes: Int

        public init(number: Int, actor: String?, date: Date, bytes: Int) {
            self.number = number
            self.actor = actor
            self.date = date
            self.bytes = bytes
        }
    }

    /// Counts from 1.
    public var number: Int
    /// As `products.json` would have it, byte for byte.
    public var text: Data

    public init(number: Int, text: Data) {
        self.number = number
        self.text = text
    }
}
