import Basics
import Content

/// Writes the files of a manifest as JSON, with gaps for the grants of their links. The order of the members is that of
/// canonical JSON.
struct FileListText {
    private var json = JSONWriter(capacity: 4_096)
    /// The places in the text where the grant of a link to the content with this SHA-256 is missing.
    private(set) var gaps: [(offset: Int, sha256: String)] = []
    private var isEmpty = true

    /// The array of the files.
    var bytes: [UInt8] { Array("[".utf8) + json.bytes + Array("]".utf8) }

    mutating func append(_ file: Manifest.File, _ variants: [ContentVariant]) {
        if !isEmpty { json.append(json: ",".utf8) }
        isEmpty = false
        var links: [(offset: Int, sha256: String)] = []
        json.object { json in
            Self.append(variants.filter { $0.encoding != .patch }, "encodings", to: &json, &links)
            Self.append(variants.filter { $0.encoding == .patch }, "patches", to: &json, &links)
            json.member("path", file.path)
            json.member("sha256", file.sha256)
            json.member("size", file.size)
            Self.appendLink(to: file.sha256, &json, &links)
        }
        gaps += links
    }

    private static func append(
        _ variants: [ContentVariant], _ name: String, to json: inout JSONWriter,
        _ links: inout [(offset: Int, sha256: String)]
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
                    if variant.encoding == .patch { appendLink(to: variant.sha256, &json, &links) }
                }
            }
        }
    }

    private static func appendLink(
        to sha256: String, _ json: inout JSONWriter, _ links: inout [(offset: Int, sha256: String)]
    ) {
        json.member("url", "/v1/content/\(sha256)?grant=")
        // Before the quotation mark; the bracket around the array comes before it all.
        links.append((json.bytes.count, sha256))
    }
}
