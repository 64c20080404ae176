import Foundation
import InAppPurchase

/// Bounds of what the store writes; beyond them data is corrupt, whoever signed it.
enum AppStoreBounds {
    /// 1970 to the end of year 9999: what fits the formats that dates are written in later.
    static let milliseconds = 0...253_402_300_799_999
    /// The store sells up to 10 at once; more are seats of a volume purchase.
    static let quantity = 1...1_000_000
    /// Thousandths of a percent.
    static let percentage = 0...100_000
}

/// An instant as the store's JSON has it: integer milliseconds since 1970-01-01 UTC.
struct AppStoreDate: Decodable {
    var date: Date

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let milliseconds = try container.decode(Int.self)
        guard AppStoreBounds.milliseconds.contains(milliseconds) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a date of this world")
        }
        date = Date(milliseconds: milliseconds)
    }
}

/// An identifier as the store's JSON has it: a string of 1 to 20 decimal digits.
struct AppStoreID: Decodable {
    var text: TransactionID

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        text = try container.decode(String.self)
        guard text.isStoreID else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not decimal digits")
        }
    }
}

extension Environment {
    /// The environment that data names, where it is one of the store's own: what Xcode makes is signed by nobody.
    init(signed name: String?) throws(ReceiptRejection) {
        switch name.flatMap(Environment.init(rawValue:)) {
        case .production: self = .production
        case .sandbox: self = .sandbox
        case .xcode, nil: throw ReceiptRejection(.environment, "neither Production nor Sandbox")
        }
    }
}

extension Transaction.OwnershipType {
    /// Longer ones are no name.
    private static let maximumLength = 64

    /// Absent from what was bought before there was Family Sharing. A type that is not known yet stays what it is: it
    /// gives access and earns no credits.
    init(store name: String?) {
        guard let name else {
            self = .purchased
            return
        }
        let isName = name.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "_") }
        self.init(rawValue: isName && name.utf8.count <= Self.maximumLength ? name : "UNKNOWN")
    }
}

extension ProductType {
    /// The store's word (`type` of JWSTransactionDecodedPayload); nil for one that is not known (yet).
    init?(store name: String?) {
        switch name {
        case "Consumable": self = .consumable
        case "Non-Consumable": self = .nonConsumable
        case "Non-Renewing Subscription": self = .nonRenewing
        case "Auto-Renewable Subscription": self = .autoRenewable
        default: return nil
        }
    }
}
