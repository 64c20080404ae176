/// The migrations of a ledger's tables: those that were run, and those that this version has beyond them.
package struct LedgerMigrations: Equatable, Sendable {
    /// The number of the last migration that was run.
    package var done: Int
    /// The number of the last one that this version has.
    package var newest: Int

    package init(done: Int, newest: Int) {
        self.done = done
        self.newest = newest
    }

    /// The numbers of the migrations to run, in their order.
    package var pending: [Int] { Array((1...max(1, newest)).dropFirst(done)) }
}
