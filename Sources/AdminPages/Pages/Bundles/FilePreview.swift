import Foundation
import ServerCore

/// A file as a page shows it, by its bytes; its name may say anything.
enum FilePreview: Hashable, Sendable {
    /// UTF-8, with JSON in lines; `isWhole` says whether it is all of it.
    case text(String, isWhole: Bool)
    /// A picture of pixels. Vector graphics are text: they can contain scripts.
    case picture(type: String)
    case sound(type: String)
    case other

    /// The first bytes of a file that say what it is.
    static let headBytes = 12
    /// The text that a page shows of a file.
    static let maximumText = 32 << 10

    /// - Parameters:
    ///   - bytes: of the file from its beginning, up to ``maximumText``.
    ///   - size: of the whole file.
    init(_ bytes: [UInt8], size: Int) {
        if let type = Self.type(of: bytes) {
            self = type.hasPrefix("image/") ? .picture(type: type) : .sound(type: type)
        } else if let text = Self.text(bytes, size: size) {
            let json = bytes.count == size && [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(bytes.first)
            let lines = json ? Data(bytes).entryLines : ""
            self = .text(lines.isEmpty ? text : lines, isWhole: bytes.count == size)
        } else {
            self = .other
        }
    }

    /// The type of a picture or a sound that browsers show; `nil` for anything else.
    static func type(of head: some Collection<UInt8>) -> String? {
        let bytes = Array(head.prefix(headBytes))
        let start = String(decoding: bytes.prefix(4), as: UTF8.self)
        let kind = String(decoding: bytes.dropFirst(8), as: UTF8.self)
        switch start {
        case "RIFF": return ["WEBP": "image/webp", "WAVE": "audio/wav"][kind]
        case "GIF8": return "image/gif"
        case "OggS": return "audio/ogg"
        case "fLaC": return "audio/flac"
        default: break
        }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if start.hasPrefix("ID3") || bytes.starts(with: [0xFF, 0xFB]) { return "audio/mpeg" }
        return bytes.dropFirst(4).starts(with: Array("ftypM4A".utf8)) ? "audio/mp4" : nil
    }

    /// The text; `nil` if there are bytes or control characters that no text has.
    private static func text(_ bytes: [UInt8], size: Int) -> String? {
        // The last character may be cut through: at most three of its bytes are left.
        let ends = bytes.count == size ? [0] : [0, 1, 2, 3]
        let text = ends.lazy.compactMap { String(validating: bytes.dropLast($0), as: UTF8.self) }.first
        return text.flatMap { text in
            text.unicodeScalars.contains { $0.value < 0x20 && !"\t\n\r".unicodeScalars.contains($0) } ? nil : text
        }
    }
}
