/// The end of a checkpoint: how much of the write-ahead log is in the ledger's file now.
package struct LogCheckpoint: Hashable, Sendable {
    /// The pages in the log.
    package var pages: Int
    /// The pages of the log that are in the file. A long read holds back the others.
    package var writtenBack: Int
    /// The error, for the log; `nil` unless the checkpoint failed.
    package var trouble: String?

    package init(pages: Int, writtenBack: Int, trouble: String? = nil) {
        self.pages = pages
        self.writtenBack = writtenBack
        self.trouble = trouble
    }
}

/// A callback that receives each checkpoint.
package typealias CheckpointObserver = @Sendable (LogCheckpoint) -> Void
