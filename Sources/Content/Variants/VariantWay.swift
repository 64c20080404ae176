/// A way to make a file's download smaller: an encoding, or a patch.
enum VariantWay: Hashable, Sendable {
    case gzip
    case zstd
    /// A patch from the bytes with this SHA-256, also as `dcz`.
    case patch(from: String)
}

extension VariantWay: Codable {
    /// Decodes the encoding's name, or the SHA-256 of the older file.
    init(from decoder: any Decoder) throws {
        switch try decoder.singleValueContainer().decode(String.self) {
        case ContentVariant.Encoding.gzip.rawValue: self = .gzip
        case ContentVariant.Encoding.zstd.rawValue: self = .zstd
        case let sha256: self = .patch(from: sha256)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .gzip: try container.encode(ContentVariant.Encoding.gzip.rawValue)
        case .zstd: try container.encode(ContentVariant.Encoding.zstd.rawValue)
        case .patch(let sha256): try container.encode(sha256)
        }
    }
}
