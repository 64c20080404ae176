import Content
import Foundation
package import HTTPTypes
import ServerHTTP

/// A representation of a file: the file itself, or one of its variants (RFC 9110 §3.2).
package struct Representation: Hashable, Sendable {
    /// Sent with a file that has variants, so that browsers offer it as a dictionary for later ones (RFC 9842 §2.1).
    private static let dictionary = #"match="\#(ContentRoutes.pathBeforeHash)*""#

    /// The SHA-256 of the file that the link is for.
    let sha256: String
    /// All variants of the file.
    let variants: [ContentVariant]
    /// The variant that is sent; `nil` for the file itself.
    var variant: ContentVariant?

    /// The opaque part of the entity tag; for the file itself it is the SHA-256.
    var etag: String { (variant.map(ContentNegotiation.Choice.variant) ?? .identity).entityTag(of: sha256) }

    /// The SHA-256 of the bytes that are sent.
    var bytesSHA256: String { variant?.sha256 ?? sha256 }

    var headers: HTTPFields {
        var headers: HTTPFields = [
            .eTag: "\"\(etag)\"",
            .acceptRanges: "bytes",
            // Addressed by its hash, it never changes (RFC 8246).
            .cacheControl: "private, max-age=31536000, immutable",
            // RFC 9530 §3: the digest of the whole representation, the same for every part.
            .reprDigest: "sha-256=:\(Data(hex: bytesSHA256).base64EncodedString()):",
            .contentType: "application/octet-stream",
            .contentTypeOptions: "nosniff",
        ]
        guard !variants.isEmpty else { return headers }
        headers[.vary] = ContentNegotiation.vary
        headers[.useAsDictionary] = Self.dictionary
        headers[.contentEncoding] = variant?.encoding.rawValue
        return headers
    }

    /// The header fields of a 304, which has no content that could be encoded (RFC 9110 §15.4.5).
    var notModifiedHeaders: HTTPFields {
        var headers = headers
        headers[.contentEncoding] = nil
        return headers
    }
}

extension ContentNegotiation {
    package init(_ headers: HTTPFields) {
        self.init(
            acceptEncoding: headers.joined(.acceptEncoding), availableDictionary: headers.joined(.availableDictionary),
            range: headers.joined(.range), ifRange: headers.joined(.ifRange))
    }
}

extension HTTPFields {
    /// The field's lines as one value; `nil` if there are none.
    package func joined(_ name: HTTPField.Name) -> String? {
        let lines = self[values: name]
        return lines.isEmpty ? nil : lines.joined(separator: ", ")
    }
}

extension Data {
    /// The bytes of pairs of hexadecimal digits; other characters are skipped.
    fileprivate init(hex: String) {
        let digits = hex.compactMap(\.hexDigitValue).compactMap(UInt8.init(exactly:))
        self.init(stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }
}

extension HTTPField.Name {
    fileprivate static let reprDigest = Self("Repr-Digest")!
    fileprivate static let contentTypeOptions = Self("X-Content-Type-Options")!
    fileprivate static let availableDictionary = Self("Available-Dictionary")!
    fileprivate static let useAsDictionary = Self("Use-As-Dictionary")!
}
