/// The members of an app's product list besides the products.
public struct AppListing: Sendable {
    /// The longest notice, in characters: it is sent with each product list.
    package static let maximumNoticeCharacters = 2_000

    /// A text for players; `nil` if there is none.
    public var notice: String?
    /// The lowest app version that need not be updated, as the catalog has it; `nil` if there is none.
    public var minimumAppVersion: String?
}

extension AppListing: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable { case notice, minimumAppVersion }

    /// The names of the members in the app's entry.
    static let members = Set(CodingKeys.allCases.map(\.rawValue))

    /// Reads the members of an app's entry.
    ///
    /// - Throws: `DecodingError` with the path to a notice that is empty or too long, or to a value that is no version.
    public init(from decoder: any Decoder) throws {
        let entry = try decoder.container(keyedBy: CodingKeys.self)
        notice = try entry.decodeIfPresent(String.self, forKey: .notice)
        if let notice, !(1...Self.maximumNoticeCharacters).contains(notice.unicodeScalars.count) {
            throw entry.mistake(.notice, "a text of 1 to \(Self.maximumNoticeCharacters) characters")
        }
        minimumAppVersion = try entry.decodeIfPresent(String.self, forKey: .minimumAppVersion)
        if let minimumAppVersion, SemanticVersion(appVersion: minimumAppVersion) == nil {
            throw entry.mistake(.minimumAppVersion, "not the version of an app, such as 1.10")
        }
    }
}
