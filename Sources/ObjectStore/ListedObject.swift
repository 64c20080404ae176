package import Foundation

/// One object as a listing tells of it.
package struct ListedObject: Hashable, Sendable {
    /// Below the bucket's prefix.
    package var key: String
    /// In bytes.
    package var size: Int
    /// With its quotes.
    package var etag: String
    /// By the store's clock.
    package var modified: Date
}

extension ListedObject {
    init(_ members: [String: String], prefix: String) throws(ObjectStoreError) {
        // `encoding-type=url` is that of forms: a space may be a plus sign.
        let key = members["Key"]?.replacing("+", with: " ").removingPercentEncoding
        guard let key, key.hasPrefix(prefix), let size = members["Size"].flatMap({ Int($0) }), size >= 0,
            let etag = members["ETag"],
            let modified = members["LastModified"].flatMap(Date.init(listing:))
        else { throw .malformed("an entry of a listing") }
        self.key = String(key.dropFirst(prefix.count))
        self.size = size
        self.etag = etag
        self.modified = modified
    }
}

extension Date {
    /// With or without fractions of a second.
    fileprivate init?(listing text: String) {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
        guard let date = try? style.parse(text) else { return nil }
        self = date
    }
}
