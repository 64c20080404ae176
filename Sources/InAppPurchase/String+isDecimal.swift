extension StringProtocol {
    /// Whether there are ASCII digits and nothing else: what `Int` takes beyond them (`+1`) is none.
    package var isDecimal: Bool {
        !isEmpty && utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
