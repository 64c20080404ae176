extension Duration {
    /// Whole milliseconds, from 0 to 2^31 - 1, the maximum that PostgreSQL accepts.
    package var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds >= 0 else { return 0 }
        guard seconds < Int64(Int32.max) / 1_000 else { return Int(Int32.max) }
        return max(0, Int(seconds * 1_000 + attoseconds / 1_000_000_000_000_000))
    }
}
