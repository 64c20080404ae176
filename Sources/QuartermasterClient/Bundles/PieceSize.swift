/// The size of a range to request: as much as arrives in one to four seconds.
struct PieceSize: Sendable {
    /// The size in bytes.
    private(set) var bytes = BundleLimits.firstPiece

    /// Adapts the size to how long a whole piece of it took.
    mutating func adapt(to duration: Duration) {
        let limits = BundleLimits.pieces
        if duration < BundleLimits.fastPiece { bytes = min(bytes * 2, limits.upperBound) }
        if duration > BundleLimits.slowPiece { bytes = max(bytes / 2, limits.lowerBound) }
    }
}
