/// The beginning or the end of one migration of the tables.
package struct MigrationStep: Hashable, Sendable {
    /// Migrations are numbered from 1.
    package var number: Int
    /// `false` when it begins, `true` when it is committed.
    package var isDone: Bool
}

/// Called at the beginning and the end of each migration that is run, on the thread that opens the ledger.
package typealias MigrationObserver = (MigrationStep) -> Void
