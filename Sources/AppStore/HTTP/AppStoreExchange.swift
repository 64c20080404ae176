/// The outcome of one HTTP request to the App Store.
enum AppStoreExchange: Sendable {
    static let timeout = "no answer in time"

    case answered(AppStoreResponse)
    /// No response. The text, for the operator's log, contains nothing of the request.
    case failed(String)
    /// The task was cancelled, or there was no time left: this says nothing about the App Store.
    case abandoned
}
