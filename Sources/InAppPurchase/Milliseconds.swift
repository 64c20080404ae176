public import Foundation

extension Date {
    /// The instant given in milliseconds since 1970-01-01 UTC, as Apple's formats and the ledger write it.
    public init(milliseconds: Int) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }

    /// Whole milliseconds since 1970-01-01 UTC, rounded; for a date beyond 64 bits, the nearest value that fits.
    public var milliseconds: Int {
        let value = (timeIntervalSince1970 * 1000).rounded()
        return Int(exactly: value) ?? (value < 0 ? .min : .max)
    }

    /// The same instant rounded to the ledger's precision of one millisecond.
    public var wholeMilliseconds: Date { Date(milliseconds: milliseconds) }
}

extension Int {
    /// The product, or the largest (smallest) integer if it does not fit.
    package func saturatingMultiplied(by other: Int) -> Int {
        let (value, overflow) = multipliedReportingOverflow(by: other)
        guard overflow else { return value }
        return (self < 0) == (other < 0) ? .max : .min
    }

    /// The sum, or the largest (smallest) integer if it does not fit.
    public func saturatingAdding(_ other: Int) -> Int {
        let (value, overflow) = addingReportingOverflow(other)
        guard overflow else { return value }
        return other < 0 ? .min : .max
    }
}
