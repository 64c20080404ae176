import Basics
import Foundation
import InAppPurchase

/// Converts JSON from Xcode, which differs from the App Store's.
enum XcodeJSON {
    /// The object with its dates in whole milliseconds, none before 1970.
    ///
    /// Xcode writes fractions of a millisecond, and the year 1 for a missing date.
    ///
    /// - Throws: `malformed` for anything but an object, and for a date out of range.
    static func withStoreDates(_ json: StrictJSON) throws(ReceiptRejection) -> StrictJSON {
        let whole: Data
        do {
            var members = try json.decode([String: JSONValue].self)
            for (name, value) in members where name.hasSuffix("Date") { members[name] = try date(value) }
            whole = try JSONEncoder().encode(members)
        } catch {
            throw ReceiptRejection(.malformed, "the payload cannot be read")
        }
        return try StrictJSON(signed: whole)
    }

    private static func date(_ value: JSONValue) throws -> JSONValue {
        switch value {
        case .integer(let milliseconds): return .integer(max(milliseconds, AppStoreBounds.milliseconds.lowerBound))
        case .number(let milliseconds):
            guard let whole = Int(exactly: milliseconds.rounded()) else { throw AppReceiptError() }
            return .integer(max(whole, AppStoreBounds.milliseconds.lowerBound))
        default: return value
        }
    }
}
