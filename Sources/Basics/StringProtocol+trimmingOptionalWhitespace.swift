extension StringProtocol {
    /// Without the spaces and tabs at both ends, which mean nothing around a field value (RFC 9110 §5.6.3).
    package var trimmingOptionalWhitespace: SubSequence {
        var text = drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
