extension String {
    /// Without white space at both ends.
    var trimmed: String {
        // Foundation's trimming goes through UTF-16 and was a tenth of what a receipt costs.
        var rest = drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
