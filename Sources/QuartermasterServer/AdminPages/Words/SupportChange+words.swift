import InAppPurchase
import Ledger

extension SupportChange {
    /// The state before, with times as on every page.
    func wordsBefore(_ visit: Visit) -> String { words(of: before, visit) }

    /// The state after it.
    func wordsAfter(_ visit: Visit) -> String { words(of: after, visit) }

    /// The members whose names are no words.
    private static let names = [
        "blockedAt": "blocked", "testerSince": "tester", "betaSince": "beta versions", "openSessions": "open sessions",
        "sandboxes": "sandbox", "recoveryCode": "recovery code", "retryAt": "asked again",
        "grants": "given by support", "requestedAt": "asked for", "arrivedAt": "came", "refusal": "refused",
    ]

    private func words(of state: [String: JSONValue], _ visit: Visit) -> String {
        state.sorted { $0.key < $1.key }.map { name, value in
            let text = value == .null ? "no" : value.words(visit)
            return "\(Self.names[name] ?? name): \(text)"
        }.joined(separator: "; ")
    }
}
