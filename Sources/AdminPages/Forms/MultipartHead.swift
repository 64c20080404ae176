import Foundation

/// The head of a part of a form: the name of its field, and for a file also the file name.
struct MultipartHead: Hashable, Sendable {
    var name: String
    /// The file name as the browser sent it; `nil` for a field that is no file.
    var fileName: String?

    /// - Throws: ``MultipartError`` for a head without the name of a field.
    init(_ text: String) throws(MultipartError) {
        let lines = text.split(separator: "\r\n")
        let disposition = lines.first { $0.lowercased().hasPrefix("content-disposition:") }
        guard let disposition, let name = Self.parameter("name", of: disposition) else { throw .unreadable }
        self.name = name
        fileName = Self.parameter("filename", of: disposition)
    }

    init(name: String, fileName: String? = nil) {
        self.name = name
        self.fileName = fileName
    }

    private static func parameter(_ name: String, of line: Substring) -> String? {
        guard let start = line.range(of: "; \(name)=\"")?.upperBound, let end = line[start...].firstIndex(of: "\"")
        else { return nil }
        // Browsers escape these three, and nothing else.
        return String(line[start..<end]).replacing("%22", with: "\"").replacing("%0D", with: "\r")
            .replacing("%0A", with: "\n")
    }
}
