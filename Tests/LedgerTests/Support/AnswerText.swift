import Foundation
import InAppPurchase
import Ledger

// Whole answers as text, so that a test shows everything that an answer says, and a failure what differs.

extension ReceiptAnswer {
    var text: String {
        let head = [status.rawValue, rejection?.rawValue, isDuplicate ? "again" : nil, finish ? "finish" : "keep"]
        let lines =
            [head.compactMap { $0 }.joined(separator: " ")]
            + transactions.map { "\($0.transaction.id) \($0.transaction.productID): \($0.outcome.text)" }
            + entitlements.map(\.text) + [balances.text]
        return lines.filter { !$0.isEmpty }.joined(separator: "\n")
    }
}

extension Outcome {
    var text: String {
        switch self {
        case .delivered: "delivered"
        case .alreadyDelivered: "already delivered"
        case .denied(let reason): "denied \(reason.rawValue)"
        }
    }
}

extension ProductEntitlement {
    /// `= hangman words non-consumable granted [hard-words]`
    var text: String {
        let environment = scope.environment == .production ? "" : " \(scope.environment.rawValue)"
        let bundles = bundles.isEmpty ? "" : " [\(bundles.map(\.text).joined(separator: " "))]"
        return "= \(scope.app)\(environment) \(product) \(type.rawValue) \(access.text)\(bundles)"
    }
}

extension Access {
    var text: String {
        switch self {
        case .granted(nil): "granted"
        case .granted(let end?): "granted until \(end.rfc3339)"
        case .denied(let reason): "denied \(reason.rawValue)"
        }
    }
}

extension Credits {
    /// `+ gems 7, hints 10`
    var text: String {
        isEmpty ? "" : "+ " + sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
}
