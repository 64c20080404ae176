import InAppPurchase
import Ledger

extension SupportChange {
    var wordsBefore: String { words(of: before) }

    var wordsAfter: String { words(of: after) }

    /// The members whose names are no words.
    private static let names = [
        "blockedAt": "blocked", "testerSince": "tester", "betaSince": "beta versions", "openSessions": "open sessions",
        "sandboxes": "sandbox", "recoveryCode": "recovery code", "retryAt": "asked again",
        "grants": "given by support",
    ]

    private func words(of state: [String: JSONValue]) -> String {
        state.sorted { $0.key < $1.key }.map { name, value in
            let text = value == .null ? "no" : value.words
            return "\(Self.names[name] ?? name): \(text)"
        }.joined(separator: "; ")
    }
}
