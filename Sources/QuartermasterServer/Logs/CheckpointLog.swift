import LedgerSQL
import Logging
import Synchronization

/// Logs that an SQLite ledger's write-ahead log is not written back into its file, once until it is: the log then
/// grows, and nobody would notice before the disk is full.
final class CheckpointLog: Sendable {
    /// The number of pages in the log from which on a reader that holds them up is reported: 256 MiB. An export of some
    /// seconds is not worth a line.
    static let maximumPages = 65_536

    private let logger: Logger
    private let isTold = Mutex(false)

    init(_ logger: Logger) { self.logger = logger }

    func ended(_ checkpoint: LogCheckpoint) {
        let isWrong =
            checkpoint.trouble != nil
            || (checkpoint.writtenBack < checkpoint.pages && checkpoint.pages > Self.maximumPages)
        let isNew = isTold.withLock { isTold in
            // A checkpoint that a reader held up a little proves neither.
            guard isWrong || checkpoint.writtenBack >= checkpoint.pages else { return false }
            defer { isTold = isWrong }
            return isTold != isWrong
        }
        guard isNew else { return }
        guard isWrong else { return logger.info("the ledger's log is written back into its file again") }
        logger.warning(
            "the ledger's log is not written back into its file",
            metadata: [
                "pages": "\(checkpoint.pages)", "written-back": "\(checkpoint.writtenBack)",
                "error": "\(checkpoint.trouble ?? "a reader holds it up")",
            ])
    }
}
