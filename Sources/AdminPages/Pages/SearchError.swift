import Foundation
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// A search for a string that no order, transaction, receipt or account has as its ID, and what support can search
/// for instead.
struct SearchError: Error, Hashable {
    /// Sentences for people.
    let text: String

    init(about text: String) { self.text = "\(Self.reason(text)) \(Self.advice)" }

    private static let advice = """
        Search for the order in the customer's e-mail from Apple (letters and digits, such as MK5TTTVWJH), the ID of a \
        transaction (digits), a receipt (r_ and what follows), an external ID (exactly as it was recorded), or the ID of \
        an account (its first \(AccountPrefix.minimumDigits) characters are enough).
        """

    private static func reason(_ text: String) -> String {
        if text.contains("@") { return "E-mail addresses cannot be searched for: the server knows none." }
        if text.lowercased().hasPrefix("gpa.") { return "That is an order of Google Play, which is not known here." }
        if text.allSatisfy({ $0.isHexDigit || $0 == "-" }), text.contains(where: \.isHexDigit) {
            return AccountPrefix(text) == nil
                ? "That is too little of an account's ID, or too much."
                : "With your token an account is found by its whole ID."
        }
        return "That is no order number, and not something that can be searched for."
    }
}
