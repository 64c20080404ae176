/// The outcome of one HTTP request to a store.
package enum StoreExchange: Sendable {
    /// The description of a request that was not answered within its time limit.
    package static let timeout = "no answer in time"

    /// There was a response, of any status.
    case answered(StoreResponse)
    /// No response. The description, for the operator's log, contains nothing of the request.
    case failed(String)
    /// The task was cancelled, or there was no time left: this says nothing about the store.
    case abandoned
}
