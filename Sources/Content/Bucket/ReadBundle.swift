/// A bundle's file as it was read, to be replaced by one that follows it.
struct ReadBundle: Sendable {
    var file: BundleFile
    /// Nil where there was none.
    var etag: String?
    /// Later nothing may be written: others may tidy the store by then.
    var deadline: ContinuousClock.Instant
}
