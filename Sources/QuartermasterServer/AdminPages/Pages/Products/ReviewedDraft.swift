import Foundation

/// An edit that an administrator wants to save, with what it was made from.
protocol ReviewedDraft: Sendable {
    associatedtype Edit: CatalogOperation

    var entry: Data { get }
    /// The entry as it was when the form was made; empty for a new one.
    var base: Data { get }
    /// The catalog's revision at that time, or ``new``.
    var revision: String { get }
    /// The edit, which applies only to the state that the form was made from.
    var edit: Edit { get }
    /// The edit, whatever the state is by now.
    var editOfAny: Edit { get }
}

extension ReviewedDraft {
    /// The revision in the form of an entry that is to be added.
    static var new: String { "new" }
}
