import Content
import ServerHTTP
import StrictJSON

/// Writes the files of a manifest as JSON, with gaps for the grants of their links. The order of the members is that of
/// canonical JSON.
struct FileListText {
    /// A place in the text where the grant of a link is missing.
    struct Gap: Sendable {
        let offset: Int
        /// The SHA-256 of the content that the link leads to.
        let sha256: String
    }

    private var json = JSONWriter(capacity: 4_096)
    private(set) var gaps: [Gap] = []
    private var isEmpty = true

    /// The array of the files.
    var bytes: [UInt8] { Array("[".utf8) + json.bytes + Array("]".utf8) }

    mutating func append(_ file: Manifest.File, _ variants: [ContentVariant]) {
        if !isEmpty { json.append(json: ",".utf8) }
        isEmpty = false
        var own: [Gap] = []
        json.object { json in
            Self.append(variants.filter { $0.encoding != .patch }, "encodings", to: &json, &own)
            Self.append(variants.filter { $0.encoding == .patch }, "patches", to: &json, &own)
            json.member("path", file.path)
            json.member("sha256", file.sha256)
            json.member("size", file.size)
            Self.appendLink(to: file.sha256, &json, &own)
        }
        gaps += own
    }

    private static func append(
        _ variants: [ContentVariant], _ name: StaticString, to json: inout JSONWriter, _ gaps: inout [Gap]
    ) {
        guard !variants.isEmpty else { return }
        json.name(name)
        json.array { json in
            for variant in variants {
                json.element()
                json.object { json in
                    json.member("encoding", variant.encoding.rawValue)
                    json.member("from", variant.from)
                    json.member("sha256", variant.sha256)
                    json.member("size", variant.size)
                    // Others are sent by the file's own link if `Accept-Encoding` asks for them.
                    if variant.encoding == .patch { appendLink(to: variant.sha256, &json, &gaps) }
                }
            }
        }
    }

    private static func appendLink(to sha256: String, _ json: inout JSONWriter, _ gaps: inout [Gap]) {
        json.member("url", "\(ContentRoutes.pathBeforeHash)\(sha256)?grant=")
        // The gap is before the closing quotation mark, for which the opening bracket of the array makes up.
        gaps.append(Gap(offset: json.bytes.count, sha256: sha256))
    }
}
