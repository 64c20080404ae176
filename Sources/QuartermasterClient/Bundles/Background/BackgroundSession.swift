import Foundation

/// The part of the system that fetches files while the app does not run. ``SystemSession`` is Apple's.
protocol BackgroundSession: Sendable {
    /// Tells the receiver what happens to tasks from now on, those of earlier launches too.
    func connect(to receiver: any BackgroundReceiver)

    /// The tasks that have neither finished nor failed, also those of earlier launches.
    func names() async -> Set<BackgroundTask.Name>

    /// Begins a task, or continues one that failed or was cancelled.
    ///
    /// - Parameter resumeData: what the system gave then.
    func start(_ task: BackgroundTask, resumeData: Data?)

    /// Ends a task, which fails then. Nothing happens if there is none.
    func cancel(_ name: BackgroundTask.Name)
}

/// Is told by a ``BackgroundSession`` what happens to tasks, one call after the other.
protocol BackgroundReceiver: AnyObject, Sendable {
    /// So many bytes of the body have arrived.
    func arrived(_ bytes: Int, of name: BackgroundTask.Name)

    /// The answer is whole. When this returns, the file is gone.
    func finished(_ name: BackgroundTask.Name, status: Int, headers: [String: String], file: URL)

    /// - Parameter resumeData: with it the same task can go on where it ended.
    func failed(_ name: BackgroundTask.Name, _ error: any Error, resumeData: Data?)
}

/// A request that the system sends when it likes.
struct BackgroundTask: Sendable {
    /// The same in each launch, for the same part of the same file.
    struct Name: Hashable, Sendable {
        /// The SHA-256 of the whole file, in hexadecimal.
        let content: String
        /// The first byte that is asked for.
        let start: Int

        var text: String { "\(content)-\(start)" }

        init(content: String, start: Int) {
            self.content = content
            self.start = start
        }

        /// - Returns: `nil` if the text is of no name.
        init?(_ text: String) {
            let parts = text.split(separator: "-", maxSplits: 1)
            guard parts.count == 2, let start = Int(parts[1]), start >= 0 else { return nil }
            self.init(content: String(parts[0]), start: start)
        }
    }

    let name: Name
    let request: ContentRequest
}
