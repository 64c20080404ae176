/// How long the client waits for an answer, and how much of one it reads.
enum HTTPLimits {
    /// A server that sends nothing for this long is treated as unreachable.
    static let idleTimeout = Duration.seconds(20)
    /// The deadline of an exchange with the API. The server asks the App Store for 8 seconds at most.
    static let deadline = Duration.seconds(60)
    /// The maximum size of an answer of the API, in bytes. The longest are product lists and manifests with links.
    static let answerBytes = 16 << 20
    /// The maximum number of redirects of one request; an object store needs one.
    static let redirections = 3
}
