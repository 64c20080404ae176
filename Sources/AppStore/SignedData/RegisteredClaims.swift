import Foundation
import InAppPurchase

/// The registered claims of a JWT for its validity and audience (RFC 7519 §4.1).
///
/// Apple's signed data has none so far; if one is present, it is checked, as in Apple's own libraries.
struct RegisteredClaims: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable { case exp, nbf, iat, aud, sub, jti }

    static let names = Set(CodingKeys.allCases.map(\.rawValue))

    /// The end of validity in seconds since 1970; the two below are in seconds too.
    private var expiration: Int?
    private var notBefore: Int?
    private var issuedAt: Int?

    init(from decoder: any Decoder) throws {
        let claims = try decoder.container(keyedBy: CodingKeys.self)
        guard !claims.contains(.aud) else {
            throw DecodingError.dataCorruptedError(forKey: .aud, in: claims, debugDescription: "for somebody else")
        }
        for name in [CodingKeys.sub, .jti] where claims.contains(name) {
            _ = try claims.decode(String.self, forKey: name)
        }
        func seconds(_ name: CodingKeys) throws -> Int? {
            // `null` is not a date.
            claims.contains(name) ? try claims.decode(Int.self, forKey: name) : nil
        }
        expiration = try seconds(.exp)
        notBefore = try seconds(.nbf)
        issuedAt = try seconds(.iat)
    }

    /// The date from which on it is valid; `nil` if it is at any time.
    var begin: Date? {
        [notBefore, issuedAt].compactMap { $0.map { Date(timeIntervalSince1970: TimeInterval($0)) } }.max()
    }

    func isPast(at now: Date) -> Bool { expiration.map { now.timeIntervalSince1970 >= TimeInterval($0) } ?? false }
}
