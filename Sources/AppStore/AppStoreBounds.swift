/// The ranges of values in the App Store's data; a value out of range is corrupt, whoever signed it.
enum AppStoreBounds {
    /// 1970 to the end of year 9999: the range of the date formats that are written later.
    static let milliseconds = 0...253_402_300_799_999
    /// The App Store sells up to 10 at once; more are seats of a volume purchase.
    static let quantity = 1...1_000_000
    /// Thousandths of a percent.
    static let percentage = 0...100_000
}
