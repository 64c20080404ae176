import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

extension SupportChange {
    /// The state before, with times as on every page.
    func wordsBefore(_ visit: Visit) -> String { words(of: before, visit) }

    /// The state after it.
    func wordsAfter(_ visit: Visit) -> String { words(of: after, visit) }

    /// The words for members whose names are none.
    private static let names = [
        "blockedAt": "blocked", "testerSince": "tester", "betaSince": "beta versions", "openSessions": "open sessions",
        "sandboxes": "sandbox", "externalID": "external ID", "recoveryCode": "recovery code", "retryAt": "asked again",
        "grants": "given by support", "requestedAt": "asked for", "arrivedAt": "came", "refusal": "refused",
    ]

    private func words(of state: [String: JSONValue], _ visit: Visit) -> String {
        let named = state.map { (name: Self.names[$0.key] ?? $0.key, value: $0.value) }
        return named.sorted { $0.name < $1.name }.map { name, value in
            "\(name): \(value == .null ? "no" : value.words(visit))"
        }.joined(separator: "; ")
    }
}
