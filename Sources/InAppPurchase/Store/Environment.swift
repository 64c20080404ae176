/// The App Store environment of a transaction. Part of every key, so that sandbox and production purchases never mix.
///
/// An open set, since Apple may add environments; a transaction of one that is not ``known`` is refused.
///
/// Source: `environment` of JWSTransactionDecodedPayload.
public struct Environment: RawRepresentable, Hashable, Sendable {
    /// Purchases in apps from the App Store.
    public static let production = Environment(rawValue: "Production")
    /// The sandbox, TestFlight and App Review.
    public static let sandbox = Environment(rawValue: "Sandbox")
    /// Local StoreKit testing in Xcode.
    public static let xcode = Environment(rawValue: "Xcode")

    /// The environments whose purchases are recorded.
    public static let known: [Environment] = [.production, .sandbox, .xcode]

    /// Apple's name.
    public let rawValue: String

    /// An environment of any name, which need not be ``known``.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The known environment of this name; `nil` if there is none.
    public init?(known name: String) {
        guard let known = Self.known.first(where: { $0.rawValue == name }) else { return nil }
        self = known
    }
}

extension Environment: CustomStringConvertible {
    /// Apple's name.
    public var description: String { rawValue }
}

extension Environment: Codable {
    /// - Throws: `DecodingError` for an environment that is not ``known``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let known = Environment(known: name) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no known environment")
        }
        self = known
    }

    /// Encodes Apple's name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
