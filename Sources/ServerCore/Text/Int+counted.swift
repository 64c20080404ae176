extension Int {
    /// The number with what it counts, in the plural unless there is one: `1 app`, `2 apps`.
    ///
    /// - Parameter plural: the plural, if it is not the noun with an `s`.
    package func counted(_ noun: String, _ plural: String? = nil) -> String {
        "\(self) \(self == 1 ? noun : plural ?? noun + "s")"
    }
}
