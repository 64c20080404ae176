extension StringProtocol {
    /// Without leading and trailing spaces and tabs, the optional white space of a field value (RFC 9110 §5.6.3).
    package var trimmingOptionalWhitespace: SubSequence {
        var text = drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
