import LedgerSQL

/// The connections that read a ledger's file beside its writer.
struct SQLiteReaders {
    /// The maximum number of connections: reads that the processor runs, and some that wait for the disk.
    static let maximum = 5
    /// The maximum number of reads that wait for a connection.
    static let maximumWaiting = 1_000
    /// The timeout of waiting for a connection. An export of the audit trail is one read.
    static let timeout: Duration = .seconds(30)

    private let pool: ConnectionPool<SQLiteReader>

    init(path: String, maximumWaiting: Int = maximumWaiting) {
        let readers = (0..<Self.maximum).map { _ in SQLiteReader(path: path) }
        pool = ConnectionPool(readers, queue: maximumWaiting, timeout: Self.timeout)
    }

    /// Runs `work` on a connection that nobody else uses meanwhile, without a transaction.
    ///
    /// - Throws: what `work` throws, a `DatabaseError` if the file cannot be opened, and ``/Ledger/LedgerUnavailable``
    ///   if too many wait already, or the wait timed out.
    func read<Value: Sendable>(_ work: @escaping @Sendable (SQLiteTransaction) throws -> Value) async throws -> Value {
        try await pool.withConnection { try await $0.read(work) }
    }

    /// Closes the connections that are not in use.
    func close() throws { for reader in pool.idle { try reader.close() } }
}
