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

/// The ranges of values in the App Store's data; a value out of range is corrupt, whoever signed it.
enum AppStoreBounds {
    /// 1970 to the end of year 9999: the range of the date formats that are written later.
    static let milliseconds = 0...253_402_300_799_999
    /// The App Store sells up to 10 at once; more are seats of a volume purchase.
    static let quantity = 1...1_000_000
    /// Thousandths of a percent.
    static let percentage = 0...100_000
}

/// An identifier as the App Store's JSON has it: a string of 1 to 20 decimal digits.
struct AppStoreID: Decodable {
    var id: TransactionID

    /// `nil` for any other string.
    init?(text: String) {
        guard text.isStoreID else { return nil }
        id = TransactionID(stored: text)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        id = try container.decode(TransactionID.self)
        guard id.text.isStoreID else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not decimal digits")
        }
    }
}
