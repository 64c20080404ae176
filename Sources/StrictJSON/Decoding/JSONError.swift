/// A violation of RFC 8259 or of ``JSONLimits``, and its place in the text.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        case notJSON
        case notUTF8
        case tooDeep
        case tooManyMembers(maximum: Int)
        /// Two members of one object have the same name.
        case repeatedName
    }

    /// The maximum number of characters of a name in an error; a name may be as long as the whole text.
    static let maximumNameLength = 64

    package var kind: Kind
    /// The offset in bytes from the beginning.
    package var offset: Int
    /// The path to the error, as in `apps[0].products[2]`; empty at the top.
    package private(set) var path = ""

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

    /// One line with the path, the error, and the offset.
    package var description: String { (path.isEmpty ? "" : path + ": ") + words }

    private var words: String {
        switch kind {
        case .notJSON: "not JSON (RFC 8259), at byte \(offset)"
        case .notUTF8: "JSON that is not UTF-8, at byte \(offset)"
        case .tooDeep: "JSON nested deeper than \(JSONLimits.maximumDepth) levels, at byte \(offset)"
        case .tooManyMembers(let maximum): "JSON with more than \(maximum) members and elements"
        case .repeatedName: "occurs twice"
        }
    }
}
