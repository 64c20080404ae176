extension String {
    /// The string without leading and trailing spaces and tabs, the optional white space of a field value (RFC 9110
    /// §5.6.3).
    package var trimmingOptionalWhitespace: Substring { self[...].trimmingOptionalWhitespace }
}

extension Substring {
    /// The string without leading and trailing spaces and tabs, the optional white space of a field value (RFC 9110
    /// §5.6.3).
    package var trimmingOptionalWhitespace: Substring {
        // By bytes: the heads of all requests pass here, and a string's characters are costly to find.
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var rest = utf8[...]
        while let first = rest.first, isBlank(first) { rest.removeFirst() }
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return self[rest.startIndex..<rest.endIndex]
    }
}
