/// Prices in words.
enum Money {
    /// Thousandths as a decimal with two places, or three where they are needed: 12990 as `12.99`.
    static func text(_ thousandths: Int) -> String {
        let (whole, rest) = max(0, thousandths).quotientAndRemainder(dividingBy: 1_000)
        let digits = String(String(rest + 1_000).dropFirst())
        return "\(whole)." + (digits.hasSuffix("0") ? String(digits.dropLast()) : digits)
    }
}
