/// The result of one scan of all content.
protocol ContentScan: Sendable {
    var index: ContentIndex { get }
    var problems: [ContentError] { get }
    /// How many files had to be read.
    var readFiles: Int { get }

    /// Whether each file has the same variants as in the other scan.
    func hasSameVariants(as other: Self) -> Bool
}
