extension Int {
    /// A number of bytes in words: `512 bytes`, `1.5 MB`.
    package var sizeText: String {
        let units = ["bytes", "kB", "MB", "GB", "TB"]
        var (whole, tenth, unit) = (Swift.max(0, self), 0, 0)
        while whole >= 1_000, unit < units.count - 1 {
            (whole, tenth) = (whole / 1_000, whole % 1_000 / 100)
            unit += 1
        }
        return "\(whole)\(tenth == 0 ? "" : ".\(tenth)") \(units[unit])"
    }
}
