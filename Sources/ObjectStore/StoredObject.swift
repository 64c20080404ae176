package import Foundation

/// An object that was read whole.
package struct StoredObject: Sendable {
    package var bytes: Data
    /// The entity tag, with its quotes.
    package var etag: String
}
