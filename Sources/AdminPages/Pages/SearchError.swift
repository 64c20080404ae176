import Foundation
import InAppPurchase
import ServerCore
import ServerHTTP

/// A search for a string that no order, transaction, receipt or account can have as its ID, and what support can search
/// for instead.
struct SearchError: Error, Hashable {
    /// The length of a UUID.
    private static let accountCharacters = 36

    /// Sentences for people.
    let text: String

    init(about text: String) { self.text = "\(Self.reason(text)) \(Self.advice)" }

    private static let advice = """
        Search for the order in the customer's e-mail from Apple (letters and digits, such as MK5TTTVWJH), the ID of a \
        transaction (digits), a receipt (r_ and what follows), or the ID of an account (\(accountCharacters) characters).
        """

    private static func reason(_ text: String) -> String {
        if text.contains("@") { return "E-mail addresses cannot be searched for: the server knows none." }
        if text.lowercased().hasPrefix("gpa.") { return "That is an order of Google Play, which is not known here." }
        if text.contains("-"), text.allSatisfy({ $0.isHexDigit || $0 == "-" }) {
            return "That is not a complete account ID: it has \(text.count) characters."
        }
        return "That is not something that can be searched for."
    }
}
