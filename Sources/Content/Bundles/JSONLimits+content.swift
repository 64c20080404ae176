package import StrictJSON

extension JSONLimits {
    /// The limits for version records. A manifest has at most 10,000 files, and a record a few members for each of them
    /// and each patch to it.
    package static let contentRecord = JSONLimits(maximumMembers: 200_000)
}
