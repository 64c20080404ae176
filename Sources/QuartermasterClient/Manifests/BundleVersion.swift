/// The version of a bundle, which may be part of a folder's name.
struct BundleVersion: Sendable {
    let text: String
    private let precedence: SemanticVersion

    /// `nil` if the string is not a semantic version, or too long.
    init?(_ text: String) {
        guard text.utf8.count <= BundleLimits.versionNameBytes, text.utf8.allSatisfy(Self.isAllowed),
            let precedence = SemanticVersion(text)
        else { return nil }
        self.text = text
        self.precedence = precedence
    }

    /// Whether it precedes the other one. Build metadata does not count.
    func isBelow(_ other: Self) -> Bool {
        precedence < other.precedence
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
