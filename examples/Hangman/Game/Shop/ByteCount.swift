/// Writes numbers of bytes for people.
package enum ByteCount {
    /// Two or three digits and a decimal unit: `940 B`, `16 KB`, `3.4 MB`.
    package static func text(_ bytes: Int) -> String {
        var tenths = max(0, bytes).multipliedReportingOverflow(by: 10).partialValue
        guard bytes >= 1000 else { return "\(max(0, bytes)) B" }
        for unit in ["KB", "MB"] {
            tenths /= 1000
            if tenths < 100 { return "\(tenths / 10).\(tenths % 10) \(unit)" }
            if tenths < 10_000 { return "\(tenths / 10) \(unit)" }
        }
        tenths /= 1000
        return "\(tenths / 10).\(tenths % 10) GB"
    }
}
