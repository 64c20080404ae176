import Basics
import Foundation

/// Content negotiation: the request headers that select one of several representations of a file.
package struct ContentNegotiation: Hashable, Sendable {
    package enum Choice: Hashable, Sendable {
        /// The file's bytes as they are.
        case identity
        /// A variant, with its encoding as `Content-Encoding`; never a patch, which is not a content coding.
        case variant(ContentVariant)
        /// The client refuses the file as it is, and every variant: 406.
        case notAcceptable
    }

    /// The `Vary` of all negotiated responses, whichever representation was chosen (RFC 9842 §6.2).
    package static let vary = "accept-encoding, available-dictionary"

    package var acceptEncoding: String?
    package var availableDictionary: String?
    package var range: String?
    package var ifRange: String?

    /// The headers' values, `nil` if the request has none; several lines of one header are joined by commas.
    package init(
        acceptEncoding: String? = nil, availableDictionary: String? = nil, range: String? = nil, ifRange: String? = nil
    ) {
        self.acceptEncoding = acceptEncoding
        self.availableDictionary = availableDictionary
        self.range = range
        self.ifRange = ifRange
    }

    /// The representation to send: the one with the highest weight, and of those the smallest.
    ///
    /// A range applies to the representation that `If-Range` names. Without `If-Range` it applies to the identity, if
    /// the client accepts that: a download that began before there were variants began with the identity.
    ///
    /// - Parameters:
    ///   - size: of the file, in bytes.
    ///   - sha256: of the file, in lower-case hexadecimal.
    package func choice(among variants: [ContentVariant], size: Int, sha256: String) -> Choice {
        // Most files have no variants, and a client that refuses the identity sends a weight of 0.
        if variants.isEmpty, acceptEncoding?.utf8.contains(UInt8(ascii: "0")) != true { return .identity }
        let accepted = accepted(among: variants, size: size)
        if range != nil {
            let sought = EntityTag(ifRange ?? "\"\(sha256)\"")
            let named = accepted.first { EntityTag("\"\($0.choice.entityTag(of: sha256))\"") == sought }
            if let named { return named.choice }
        }
        let best = accepted.max { ($0.weight, $1.size) < ($1.weight, $0.size) }
        return best?.choice ?? .notAcceptable
    }

    private func accepted(among variants: [ContentVariant], size: Int) -> [(choice: Choice, weight: Int, size: Int)] {
        let (encodings, dictionary) = (AcceptEncoding(acceptEncoding), dictionary)
        let identity = encodings.weight(of: "identity").map { (Choice.identity, $0, size) }
        let others = variants.compactMap { variant -> (Choice, Int, Int)? in
            let name = variant.encoding.rawValue
            switch variant.encoding {
            case .gzip, .zstd: break
            // A client that accepts any coding may still use its dictionaries for other files (RFC 9842 §6.1).
            case .dcz: guard encodings.names(name), variant.from == dictionary else { return nil }
            case .patch: return nil
            }
            return encodings.weight(of: name).map { (.variant(variant), $0, variant.size) }
        }
        return (identity.map { [$0] } ?? []) + others
    }

    /// The SHA-256 of the file that the client has, in lower-case hexadecimal (RFC 9842 §2.2: a byte sequence of RFC
    /// 8941 §3.3.5).
    private var dictionary: String? {
        guard let text = availableDictionary, text.utf8.count == 46, text.first == ":", text.last == ":" else {
            return nil
        }
        guard let digest = Data(base64Encoded: String(text.dropFirst().dropLast())), digest.count == 32 else {
            return nil
        }
        return digest.hex
    }
}

extension ContentNegotiation.Choice {
    /// The characters between the quotes of the representation's strong entity tag: the file's SHA-256 and, for a
    /// variant, what distinguishes it from every other one.
    package func entityTag(of sha256: String) -> String {
        guard case .variant(let variant) = self else { return sha256 }
        return "\(sha256)-\(variant.encoding.rawValue)-\(variant.sha256.prefix(16))"
    }
}
