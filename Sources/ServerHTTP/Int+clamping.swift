extension Int {
    /// The nearest integer that fits; 0 for NaN.
    package init(clamping value: Double) {
        self = Int(exactly: value.rounded()) ?? (value.isNaN ? 0 : value < 0 ? .min : .max)
    }
}
