/// Formats prices.
package enum Money {
    /// Thousandths as a decimal with two places, or three where they are needed: 12990 as `12.99`.
    package static func text(_ thousandths: Int) -> String {
        let (whole, rest) = max(0, thousandths).quotientAndRemainder(dividingBy: 1_000)
        let decimal = "\(whole)." + String(String(rest + 1_000).dropFirst())
        return decimal.hasSuffix("0") ? String(decimal.dropLast()) : decimal
    }
}
