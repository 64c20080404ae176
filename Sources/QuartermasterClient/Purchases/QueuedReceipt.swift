import Foundation

/// A transaction on its way to the server, as it is stored on disk until the server's decision about it is carried out.
struct QueuedReceipt: Sendable, Codable, Equatable {
    /// The next thing that is done with it.
    enum Step: Sendable, Codable, Equatable {
        /// It is sent to the server.
        case send
        /// The receipt waits for the App Store: the server is asked what became of it, by the ID of the receipt.
        case look(receipt: String)
        /// The server has said that it may be finished.
        case finish
        /// It is kept, and sent again at the next start: the server judged it, and denied it without `finish`.
        case keep
        /// It is kept, and sent again at a start a day later: the server could not make anything of it.
        case refused(at: Date)
        /// The server found it too large. It is not sent again by this version of the app.
        case tooLarge(appVersion: String)
    }

    var transaction: SignedTransaction
    var step = Step.send
    /// The wait before the next step, set by the server or the client; `nil` until somebody signs in. Not on disk: at
    /// the next start everything is due.
    var dueAfter: Duration? = .zero
    var backoff = Backoff()

    var id: String { transaction.id }

    private enum CodingKeys: String, CodingKey {
        case transaction
        case step
    }

    init(_ transaction: SignedTransaction) { self.transaction = transaction }

    static func == (left: Self, right: Self) -> Bool {
        left.transaction == right.transaction && left.step == right.step
    }
}
