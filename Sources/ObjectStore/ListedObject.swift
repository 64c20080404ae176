package import Foundation

/// An object in a listing.
package struct ListedObject: Hashable, Sendable {
    /// The key without the bucket's prefix.
    package var key: String
    /// The size in bytes.
    package var size: Int
    /// The entity tag, with its quotes.
    package var etag: String
    /// The last modification, by the object store's clock.
    package var modified: Date
}

extension ListedObject {
    init(_ members: [String: String], prefix: String) throws(ObjectStoreError) {
        // `encoding-type=url` is form encoding: a space may be a plus sign.
        let key = members["Key"]?.replacing("+", with: " ").removingPercentEncoding
        guard let key, key.hasPrefix(prefix), let size = members["Size"].flatMap({ Int($0) }), size >= 0,
            let etag = members["ETag"], let modified = members["LastModified"].flatMap(Date.init(listing:))
        else { throw .malformed("an entry of a listing") }
        self.key = String(key.dropFirst(prefix.count))
        self.size = size
        self.etag = etag
        self.modified = modified
    }
}

extension Date {
    /// Parses a date with or without fractions of a second.
    fileprivate init?(listing text: String) {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
        guard let date = try? style.parse(text) else { return nil }
        self = date
    }
}
