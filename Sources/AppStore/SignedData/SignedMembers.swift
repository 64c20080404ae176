import Foundation
import InAppPurchase
import StrictJSON

/// The members of an object that the App Store signed, read as `Decodable` reads them: a member that is `null` counts
/// as absent. One of another type is ignored if it decides nothing; otherwise the object is of a kind that is not
/// supported yet.
struct SignedMembers {
    private let object: JSONPart

    init(_ object: JSONPart) { self.object = object }

    /// The member; `nil` if there is none, or if it is `null`.
    private func member(_ name: String) -> JSONPart? {
        guard let part = object[name], part.kind != .null else { return nil }
        return part
    }

    private func value<Value>(_ name: String, _ read: (JSONPart) -> Value?) throws(ReceiptRejection) -> Value? {
        guard let member = member(name) else { return nil }
        guard let value = read(member) else { throw Self.ofAnotherType }
        return value
    }

    func string(_ name: String) throws(ReceiptRejection) -> String? { try value(name) { $0.string } }

    func integer(_ name: String) throws(ReceiptRejection) -> Int? { try value(name) { $0.integer() } }

    func number(_ name: String) throws(ReceiptRejection) -> Double? { try value(name) { $0.double } }

    func bool(_ name: String) throws(ReceiptRejection) -> Bool? { try value(name) { $0.bool } }

    /// A member that decides nothing: a value of another type counts as absent.
    func lenient<Value>(_ name: String, _ read: (JSONPart) -> Value?) -> Lenient<Value>? {
        member(name).map { Lenient(read($0)) }
    }

    func lenientString(_ name: String) -> Lenient<String>? { lenient(name) { $0.string } }

    func lenientNumber(_ name: String) -> Lenient<Double>? { lenient(name) { $0.double } }

    func date(_ name: String) throws(ReceiptRejection) -> AppStoreDate? {
        guard let milliseconds = try integer(name) else { return nil }
        return try Self.required(AppStoreDate(milliseconds: milliseconds))
    }

    func id(_ name: String) throws(ReceiptRejection) -> AppStoreID? {
        guard let text = try string(name) else { return nil }
        return try Self.required(AppStoreID(text: text))
    }

    /// The value of a member that each such object has.
    static func required<Value>(_ value: Value?) throws(ReceiptRejection) -> Value {
        guard let value else { throw unreadable }
        return value
    }

    static let ofAnotherType = ReceiptRejection(.unsupported, "a member is of another type than expected")
    static let unreadable = ReceiptRejection(.malformed, "the payload cannot be read as what it should be")
}
