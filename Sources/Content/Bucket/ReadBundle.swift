/// A bundle's file as it was read, to be replaced by a conditional write.
struct ReadBundle: Sendable {
    var file: BundleFile
    /// The entity tag; `nil` if there was no file.
    var etag: String?
    /// The time after which nothing may be written: garbage collection may have begun by then.
    var deadline: ContinuousClock.Instant
}
