package import Foundation

/// The hash chain over the audit trail: one sealer at a time gives every row its place in it, and signs where it stands.
///
/// Writers append rows with their content's hash only, so that they never queue behind each other for the chain.
package protocol AuditSeals: Sendable {
    /// Seals rows that have no seal yet, oldest first, in one transaction: of several sealers one does it.
    ///
    /// The highest number that was sealed is kept apart from the rows. Where the trail ends before it, its end was cut
    /// off: a row of kind ``AuditEntry/Kind/trailCut`` is appended then, which stays, and no check passes any more.
    ///
    /// - Parameters:
    ///   - limit: at most so many.
    ///   - date: now, for a row that tells of a cut.
    ///   - seal: makes a row's seal from the one before, nil for the very first.
    /// - Returns: how many rows were sealed; 0 changes nothing.
    func sealRows(
        atMost limit: Int, at date: Date, _ seal: @escaping @Sendable (AuditRow, Seal?) throws -> Seal
    ) async throws -> Int

    /// Adds a checkpoint of the newest seal, in one transaction.
    ///
    /// - Parameter sign: is given the newest seal and the newest checkpoint; nil where none is due. Not called where the
    ///   newest seal has a checkpoint already, or where nothing is sealed.
    /// - Returns: the checkpoint that was added.
    func addCheckpoint(
        _ sign: @escaping @Sendable (Seal, Checkpoint?) throws -> Checkpoint?
    ) async throws -> Checkpoint?

    /// Reads the trail in one consistent snapshot, item by item: a trail of millions of rows is never in memory whole.
    ///
    /// The sealed rows come in the order of their seals, each checkpoint after the seal it names, then the rows without a
    /// seal, last ``TrailItem/end(highest:)``.
    ///
    /// - Parameters:
    ///   - sequence: rows with a greater sequence number only, the ``TrailItem/beginning(after:)`` saying what came
    ///     before; 0 for all.
    ///   - initial: what `take` changes with every item.
    /// - Throws: ``TrailError`` where a row is not what any writer wrote, and what `take` throws.
    func readTrail<Result: Sendable>(
        after sequence: Int, into initial: Result, _ take: @escaping @Sendable (inout Result, TrailItem) throws -> Void
    ) async throws -> Result
}
