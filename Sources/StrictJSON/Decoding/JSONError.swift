/// A violation of RFC 8259 or of ``JSONLimits``, and its place in the text.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        case notJSON
        case notUTF8
        case tooDeep
        case tooManyMembers(maximum: Int)
        /// Two members of one object have the same name.
        case repeatedName
        /// A comma before a closing bracket.
        case trailingComma
    }

    /// The maximum number of characters of a name in an error; a name may be as long as the whole text.
    static let maximumNameLength = 64

    package var kind: Kind
    /// The offset in bytes from the beginning.
    package var offset: Int
    /// The path to the error, as in `apps[0].products[2]`; empty at the top.
    package private(set) var path = ""
    /// The line of the error, from 1.
    package private(set) var line = 1
    /// The column of the error in its line, in characters, from 1.
    package private(set) var column = 1
    /// The member or element before the error in the same object or array, as in `"id"` or `[3]`; `nil` if there is
    /// none, or the error is inside of one.
    private var previous: String?

    init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    /// The same error, with its path one level further up.
    func inMember(_ name: String) -> JSONError {
        var error = self
        let separator = path.isEmpty || path.hasPrefix("[") ? "" : "."
        error.path = name.prefix(Self.maximumNameLength) + separator + path
        return error
    }

    /// The same error, with its path one level further up.
    func inElement(_ position: Int) -> JSONError {
        var error = self
        let separator = path.isEmpty || path.hasPrefix("[") ? "" : "."
        error.path = "[\(position)]" + separator + path
        return error
    }

    /// The same error, behind this member or element of its object or array.
    func after(_ part: String?) -> JSONError {
        var error = self
        error.previous = part.map {
            $0.count > Self.maximumNameLength ? String($0.prefix(Self.maximumNameLength)) + "…" : $0
        }
        return error
    }

    /// The same error, with its line and column in the text.
    func located(in text: UnsafeRawBufferPointer) -> JSONError {
        var error = self
        let before = text.prefix(offset)
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? before.startIndex
        error.line = before.count { $0 == UInt8(ascii: "\n") } + 1
        // All bytes but those that continue a character of UTF-8.
        error.column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
        return error
    }

    /// One line with the path, the error, the offset, line and column unless it is the first line, and what is before.
    package var description: String { (path.isEmpty ? "" : path + ": ") + words }

    private var words: String {
        switch kind {
        case .notJSON: "not JSON (RFC 8259), \(place)"
        case .notUTF8: "JSON that is not UTF-8, \(place)"
        case .tooDeep: "JSON nested deeper than \(JSONLimits.maximumDepth) levels, \(place)"
        case .tooManyMembers(let maximum): "JSON with more than \(maximum) members and elements"
        case .repeatedName: "occurs twice" + (line > 1 ? ", \(place)" : "")
        case .trailingComma: "a comma before a closing bracket, \(place)"
        }
    }

    private var place: String {
        "at byte \(offset)" + (line > 1 ? " (line \(line), column \(column))" : "")
            + (previous.map { ", after \($0)" } ?? "")
    }
}
