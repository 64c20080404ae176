import Content
import Foundation
import HTTPTypes
import Hummingbird
import ServerHTTP

/// The time for which an app wants the links of a manifest to be valid, for downloads that the system schedules.
struct LinkLifetime: Sendable {
    /// The bounds of a request, in seconds: up to a day, within which a phone is charged and has Wi-Fi.
    static let bounds = 60...86_400

    /// In seconds; `nil` for the standard.
    let seconds: Int?

    /// - Throws: 422 if it is out of ``bounds``.
    init(_ request: Request) throws {
        seconds = try request.uri.queryParameters["linkLifetime"].map { text in
            guard let seconds = Int(text), Self.bounds.contains(seconds) else {
                throw Problem(
                    .unprocessableContent, "invalid_request", "The lifetime of the links is out of bounds",
                    detail: "linkLifetime: seconds from \(Self.bounds.lowerBound) to \(Self.bounds.upperBound)")
            }
            return seconds
        }
    }

    /// Whether it is longer than the standard, which only accounts without a refund get.
    var isLong: Bool { seconds.map { TimeInterval($0) > GrantSigner.lifetime } ?? false }

    /// The expiry of the links.
    ///
    /// - Parameters:
    ///   - until: the end of the access; `nil` if it has none.
    ///   - mayBeLong: whether it may be longer than the standard.
    func expiry(accessUntil until: Date?, mayBeLong: Bool, at date: Date) -> Date {
        guard let seconds else { return GrantSigner.expiry(at: date) }
        let lifetime = mayBeLong ? TimeInterval(seconds) : min(TimeInterval(seconds), GrantSigner.lifetime)
        let expiry = GrantSigner.expiry(at: date, lifetime: lifetime)
        return until.map { min($0, expiry) } ?? expiry
    }
}
