import Foundation
import InAppPurchase

/// An instant as the App Store's JSON has it: integer milliseconds since 1970-01-01 UTC.
struct AppStoreDate: Decodable {
    var date: Date

    /// `nil` for a date outside of ``AppStoreBounds/milliseconds``.
    init?(milliseconds: Int) {
        guard AppStoreBounds.milliseconds.contains(milliseconds) else { return nil }
        date = Date(milliseconds: milliseconds)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let milliseconds = try container.decode(Int.self)
        guard AppStoreBounds.milliseconds.contains(milliseconds) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a date of this world")
        }
        date = Date(milliseconds: milliseconds)
    }
}
