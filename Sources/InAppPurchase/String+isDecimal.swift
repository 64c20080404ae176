extension StringProtocol {
    /// Whether the string consists of ASCII digits alone; `Int` also accepts a sign (`+1`). `false` for an empty
    /// string.
    package var isDecimal: Bool { !isEmpty && utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }
}
