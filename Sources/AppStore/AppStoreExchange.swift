/// What came of asking the store once.
enum AppStoreExchange: Sendable {
    static let timeout = "no answer in time"

    case answered(AppStoreResponse)
    /// No answer. The words, for the operator's log, hold nothing of what was sent.
    case failed(String)
    /// The task was cancelled, or there was no time at all: it says nothing about the store.
    case abandoned
}
