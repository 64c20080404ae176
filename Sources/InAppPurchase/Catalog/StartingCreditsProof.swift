/// The proof that an account must show before it gets an app's starting credits.
package enum StartingCreditsProof: String, Hashable, Sendable, CaseIterable {
    /// A signed app transaction of the App Store; each gives them once, whichever accounts show it.
    case appTransaction
}

extension KeyedDecodingContainer {
    /// Decodes the setting of an app with the given starting credits; `nil` if it is absent.
    ///
    /// - Throws: `DecodingError` with the path to `key`, also if the app has no starting credits.
    func decodeStartingCreditsProof(of credits: Credits, forKey key: Key) throws -> StartingCreditsProof? {
        guard let word = try decodeIfPresent(String.self, forKey: key) else { return nil }
        guard let proof = StartingCreditsProof(rawValue: word) else {
            throw mistake(key, "one of \(StartingCreditsProof.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        guard !credits.isEmpty else { throw mistake(key, "only with startingCredits") }
        return proof
    }
}
