import Basics
import Foundation
import InAppPurchase

/// The members of an object that the App Store signed, read as `Decodable` reads them: a member that is `null` counts
/// as absent, and one of another type makes the object invalid.
struct SignedMembers {
    private let object: JSONPart

    init(_ object: JSONPart) { self.object = object }

    /// The member; `nil` if there is none, or if it is `null`.
    private func member(_ name: String) -> JSONPart? {
        guard let part = object[name], part.kind != .null else { return nil }
        return part
    }

    private func value<Value>(
        _ name: String, _ read: (JSONPart) -> Value?
    ) throws(ReceiptRejection) -> Value? {
        guard let member = member(name) else { return nil }
        guard let value = read(member) else { throw Self.unreadable }
        return value
    }

    func string(_ name: String) throws(ReceiptRejection) -> String? { try value(name) { $0.string } }

    func integer(_ name: String) throws(ReceiptRejection) -> Int? { try value(name) { $0.integer() } }

    func number(_ name: String) throws(ReceiptRejection) -> Double? { try value(name) { $0.double } }

    func bool(_ name: String) throws(ReceiptRejection) -> Bool? { try value(name) { $0.bool } }

    /// A string that decides nothing: a value of another type counts as absent.
    func lenientString(_ name: String) -> String? { member(name)?.string }

    func date(_ name: String) throws(ReceiptRejection) -> AppStoreDate? {
        try value(name) { $0.integer().flatMap(AppStoreDate.init(milliseconds:)) }
    }

    func id(_ name: String) throws(ReceiptRejection) -> AppStoreID? {
        try value(name) { $0.string.flatMap(AppStoreID.init(text:)) }
    }

    /// Checks that members which are not used are numbers, if they are present.
    func requireNumbers(_ names: String..., in name: String) throws(ReceiptRejection) {
        guard let member = member(name) else { return }
        guard member.kind == .object else { throw Self.unreadable }
        let members = SignedMembers(member)
        for name in names { _ = try members.number(name) }
    }

    /// The value of a member that each such object has.
    static func required<Value>(_ value: Value?) throws(ReceiptRejection) -> Value {
        guard let value else { throw unreadable }
        return value
    }

    static let unreadable = ReceiptRejection(.malformed, "the payload cannot be read as what it should be")
}
