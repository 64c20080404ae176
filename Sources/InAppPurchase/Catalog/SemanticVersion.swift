/// A version by Semantic Versioning 2.0.0 (semver.org): `1.2.0`, `2.0.0-beta.1`, `1.0.0+20261120`.
///
/// Ordered by precedence (§11), which ignores build metadata: versions that differ only in it are equal.
public struct SemanticVersion: Sendable {
    /// The first number.
    public let major: Int
    /// The second number.
    public let minor: Int
    /// The third number.
    public let patch: Int
    /// The string that was parsed, with its build metadata.
    public let description: String

    private let preRelease: [Identifier]

    /// A version below every other.
    static let lowest = SemanticVersion(preRelease: [.number(0)], description: "0.0.0-0")

    private init(preRelease: [Identifier], description: String) {
        major = 0
        minor = 0
        patch = 0
        self.preRelease = preRelease
        self.description = description
    }

    /// Whether the version is a pre-release, which is below the release of the same number and delivered only if there
    /// is no release.
    public var isPreRelease: Bool { !preRelease.isEmpty }

    /// Parses a version; `nil` if the string is not one by §2, §9 and §10, or has a number beyond 64 bits.
    public init?(_ description: String) {
        let build = description.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
        let label = (build.first ?? "").split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        let core = (label.first ?? "").split(separator: ".", omittingEmptySubsequences: false)
        let numbers = core.compactMap(Self.number)
        guard core.count == 3, let major = numbers.first, let patch = numbers.last, numbers.count == 3,
            let minor = numbers.dropFirst().first,
            let preRelease = Self.identifiers(in: label, each: Identifier.init),
            Self.identifiers(in: build, each: { Self.isIdentifier($0) ? $0 : nil }) != nil
        else { return nil }
        self.major = major
        self.minor = minor
        self.patch = patch
        self.preRelease = preRelease
        self.description = description
    }

    /// Parses the version of an app, which may leave out zeros at its end: `2` is 2.0.0, and `1.10-beta` is
    /// 1.10.0-beta. Leading zeros, as in `2026.01`, are ignored. `nil` for anything else.
    ///
    /// Source: Apple, `CFBundleShortVersionString`: up to three integers with periods between them.
    public init?(appVersion text: String) {
        let core = text.prefix { $0 != "-" && $0 != "+" }
        let parts = core.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.isDecimal ? Int($0) : nil }
        guard numbers.count == parts.count, numbers.count <= 3 else { return nil }
        let padded = (numbers + [0, 0]).prefix(3).map(String.init)
        self.init(padded.joined(separator: ".") + text.dropFirst(core.count))
    }

    /// The dot-separated identifiers of the second part; empty if there is no second part, `nil` if one is invalid.
    private static func identifiers<Parsed>(in parts: [Substring], each parse: (Substring) -> Parsed?) -> [Parsed]? {
        guard parts.count == 2, let text = parts.last else { return [] }
        let pieces = text.split(separator: ".", omittingEmptySubsequences: false)
        let parsed = pieces.compactMap(parse)
        return parsed.count == pieces.count ? parsed : nil
    }

    fileprivate static func isIdentifier(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// A number without leading zeros (§2); `nil` for anything else.
    fileprivate static func number(_ text: Substring) -> Int? {
        guard text.isDecimal, text == "0" || text.first != "0" else { return nil }
        return Int(text)
    }
}

extension SemanticVersion {
    /// A dot-separated part of the pre-release label (§9).
    private enum Identifier: Hashable, Sendable, Comparable {
        // §11.4.3: numeric ones are lower; the order of the cases says so.
        case number(Int)
        case text(String)

        init?(_ text: Substring) {
            if text.isDecimal {
                guard let number = SemanticVersion.number(text) else { return nil }
                self = .number(number)
            } else {
                guard SemanticVersion.isIdentifier(text) else { return nil }
                self = .text(String(text))
            }
        }
    }
}

extension SemanticVersion: Comparable, Hashable {
    private var core: (Int, Int, Int) { (major, minor, patch) }

    public static func == (left: Self, right: Self) -> Bool {
        left.core == right.core && left.preRelease == right.preRelease
    }

    public static func < (left: Self, right: Self) -> Bool {
        guard left.core == right.core else { return left.core < right.core }
        guard left.isPreRelease, right.isPreRelease else { return left.isPreRelease && !right.isPreRelease }
        return left.preRelease.lexicographicallyPrecedes(right.preRelease)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(major)
        hasher.combine(minor)
        hasher.combine(patch)
        hasher.combine(preRelease)
    }
}

extension SemanticVersion: LosslessStringConvertible, Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let version = SemanticVersion(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not a semantic version, such as 1.0.0")
        }
        self = version
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
