/// A store's answer to the request to send a test notification.
enum TestNotificationAnswer: Hashable, Sendable {
    /// The reason why the store sends none.
    enum Refusal: String, Hashable, Sendable {
        /// The app has no key for the store's API, so the store was not asked.
        case noKey
        /// The store has no address to send it to.
        case noURL
        /// The store refuses the key, or the request.
        case refused
    }

    /// The store sends one; with the token that asks for its result.
    case requested(token: String)
    /// The store sends none, until somebody changes something; with the store's words.
    case refused(Refusal, String)
    /// The store gave no answer; with the trouble.
    case unavailable(String)
}
