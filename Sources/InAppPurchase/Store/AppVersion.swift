/// The version of an app that a receipt or an app transaction names: the one that was installed when it was made.
///
/// Source: Apple, "Validating receipts on the device" (attributes 3 and 16), responseBody.Receipt, AppTransaction.
public struct AppVersion: Hashable, Sendable {
    /// The app's bundle ID.
    public var app: BundleID
    /// `CFBundleVersion`, on macOS `CFBundleShortVersionString`, as it was stated.
    public var text: String
    /// The App Store's number of the version (`versionExternalIdentifier`); `nil` in the sandbox.
    public var externalID: Int?

    /// - Parameter externalID: 0, as in the sandbox, is none.
    public init(app: BundleID, text: String, externalID: Int? = nil) {
        self.app = app
        self.text = text
        self.externalID = externalID.flatMap { $0 > 0 ? $0 : nil }
    }

    /// The version in numbers; `nil` if the text is not in Apple's form of up to three integers with periods between
    /// them.
    package static func numbers(of text: String) -> SemanticVersion? {
        guard text.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return SemanticVersion(appVersion: text)
    }

    /// The lower of two versions; of two that are equal in numbers, always the same one. One that is not in numbers is
    /// above all that are.
    static func lower(_ mine: String?, _ theirs: String?) -> String? {
        guard let mine, let theirs, mine != theirs else { return mine ?? theirs }
        switch (numbers(of: mine), numbers(of: theirs)) {
        case (let one?, let other?) where one != other: return one < other ? mine : theirs
        case (_?, nil): return mine
        case (nil, _?): return theirs
        default: return min(mine, theirs)
        }
    }
}
