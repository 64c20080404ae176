extension Sequence<UInt8> {
    /// Two digits for each byte, in lower case.
    var hexadecimal: String {
        reduce(into: "") { $0 += ($1 < 16 ? "0" : "") + String($1, radix: 16) }
    }
}
