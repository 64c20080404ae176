import InAppPurchase

/// Names that a new version may not have, besides those that no content may have: what is published already stays.
extension ManifestCheck {
    /// Microsoft, "Naming Files, Paths, and Namespaces"; the other two separate paths there.
    private static let reserved = Set("<>:\"|?*".unicodeScalars)
    /// ZERO WIDTH NON-JOINER and JOINER, which Persian, the languages of India and emoji are written with.
    private static let joiners: Set<Unicode.Scalar> = ["\u{200C}", "\u{200D}"]

    /// - Parameter isNewBundle: whether the bundle has no version yet.
    /// - Throws: ``PublishRefusal`` for the first name that a system takes for another one, or cannot have.
    static func checkNewNames(of manifest: Manifest, isNewBundle: Bool) throws(PublishRefusal) {
        if isNewBundle, let reason = refusal(ofNewName: manifest.bundle.text) { throw .bundleName(reason) }
        for file in manifest.files {
            if let reason = refusal(ofNewPath: file.path) { throw .content(ContentError(file.path, reason)) }
        }
    }

    /// The reason why no new version may have a file of this path; `nil` if it may.
    static func refusal(ofNewPath path: String) -> ContentError.Reason? {
        path.split(separator: "/").lazy.compactMap { refusal(ofNewName: $0) }.first
    }

    private static func refusal(ofNewName name: some StringProtocol) -> ContentError.Reason? {
        let characters = name.unicodeScalars
        if characters.last == "." || characters.last == " " { return .dotOrSpaceAtEndOfName }
        for character in characters {
            if reserved.contains(character) { return .reservedCharacterInName(String(Character(character))) }
            if character == "%" { return .percentSignInName }
            if character.properties.generalCategory == .format, !joiners.contains(character) {
                return .invisibleCharacterInName
            }
        }
        return nil
    }
}
