/// The members of an app's product list besides the products, and the places in the app that offer some of them.
package struct AppListing: Sendable {
    /// The longest notice, in characters: it is sent with each product list.
    package static let maximumNoticeCharacters = 2_000

    /// The most placements of an app: the catalog is read as a whole.
    package static let maximumPlacements = 100
    /// The longest name of a placement, which the app sends with its request.
    package static let maximumPlacementCharacters = 64

    /// A message for players; `nil` if there is none.
    package var notice: String?
    /// The lowest app version that need not be updated, as the catalog has it; `nil` if there is none.
    package var minimumAppVersion: String?
    /// The pages that the app links to; `nil` if there are none.
    package var legal: LegalLinks?
    /// The placements by their names; empty if there are none.
    package var placements: [String: Placement]
}

extension AppListing: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable { case notice, minimumAppVersion, legal, placements }

    /// The names of the members in the app's entry.
    static let members = Set(CodingKeys.allCases.map(\.rawValue))

    /// Reads the members of an app's entry.
    ///
    /// - Throws: `DecodingError` with the path to the error.
    package init(from decoder: any Decoder) throws {
        let entry = try decoder.container(keyedBy: CodingKeys.self)
        notice = try entry.decodeIfPresent(String.self, forKey: .notice)
        if let notice, !(1...Self.maximumNoticeCharacters).contains(notice.unicodeScalars.count) {
            throw entry.invalid(.notice, "a text of 1 to \(Self.maximumNoticeCharacters) characters")
        }
        // An unreadable version is refused; the string is passed on as it is, since apps compare versions as strings.
        _ = try entry.decodeAppVersionIfPresent(forKey: .minimumAppVersion)
        minimumAppVersion = try entry.decodeIfPresent(String.self, forKey: .minimumAppVersion)
        legal = try entry.decodeIfPresent(LegalLinks.self, forKey: .legal)
        placements = try entry.decodeIfPresent([String: Placement].self, forKey: .placements) ?? [:]
        guard placements.count <= Self.maximumPlacements else {
            throw entry.invalid(.placements, "more than \(Self.maximumPlacements)")
        }
        for name in placements.keys {
            guard (1...Self.maximumPlacementCharacters).contains(name.unicodeScalars.count) else {
                throw entry.invalid(.placements, "names of 1 to \(Self.maximumPlacementCharacters) characters")
            }
            try entry.requireName(name, .placements, decoder)
        }
    }
}
