/// How long the client waits for an answer, and how much of one it reads.
enum HTTPLimits {
    /// A server that sends nothing for so long is treated as unreachable.
    static let idleTimeout = Duration.seconds(20)
    /// An exchange of the API is over by then. The server asks the App Store for 8 seconds at most.
    static let deadline = Duration.seconds(60)
    /// An answer of the API. The longest are product lists and manifests with links.
    static let answerBytes = 16 << 20
    /// Redirections of one request; an object store needs one.
    static let redirections = 3
}
