#if canImport(ObjectiveC)
    public import Foundation
    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    extension BackgroundTransport {
        /// Downloads that the system goes on with when the app is suspended or has ended, with a background session of
        /// `URLSession`
        /// ([Downloading files in the background](https://developer.apple.com/documentation/foundation/downloading-files-in-the-background)).
        ///
        /// - Parameters:
        ///   - identifier: the session's, such as `com.example.hangman.downloads`: the same in each launch, and used
        ///     by one value alone.
        ///   - folder: for what arrives before the shop is open, not below the shop's own.
        ///   - isDiscretionary: whether the system may wait for Wi-Fi and power.
        /// - Throws: if the folder cannot be made.
        public convenience init(identifier: String, folder: URL, isDiscretionary: Bool = false) throws {
            try self.init(session: SystemSession(identifier, isDiscretionary: isDiscretionary), folder: folder)
        }
    }

    /// A background session of `URLSession`. The name of a task is its description, which the system keeps.
    ///
    /// `@unchecked Sendable`: `connection` is written once, before anything else is called; the session calls for one
    /// task after the other on its serial queue.
    private final class SystemSession: NSObject, BackgroundSession, @unchecked Sendable {
        private let configuration: URLSessionConfiguration
        private let lock = NSLock()
        private var connection: (session: URLSession, receiver: any BackgroundReceiver)?

        init(_ identifier: String, isDiscretionary: Bool) {
            configuration = .background(withIdentifier: identifier)
            configuration.isDiscretionary = isDiscretionary
            configuration.sessionSendsLaunchEvents = true
            configuration.storeNothing()
        }

        func connect(to receiver: any BackgroundReceiver) {
            let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
            lock.withLock { connection = (session, receiver) }
        }

        func names() async -> Set<BackgroundTask.Name> {
            guard let session else { return [] }
            return await withCheckedContinuation { continuation in
                session.getAllTasks { tasks in continuation.resume(returning: Set(tasks.compactMap(\.name))) }
            }
        }

        func start(_ task: BackgroundTask, resumeData: Data?) {
            guard let session else { return }
            let new =
                resumeData.map { session.downloadTask(withResumeData: $0) }
                ?? session.downloadTask(
                    with: URLRequest(task.request.url, headers: task.request.headers, networks: task.request.networks))
            new.taskDescription = task.name.text
            new.countOfBytesClientExpectsToReceive = Int64(task.request.count)
            new.resume()
        }

        func cancel(_ name: BackgroundTask.Name) {
            session?.getAllTasks { [receiver] tasks in
                for task in tasks where task.name == name {
                    guard let download = task as? URLSessionDownloadTask else { continue }
                    // The system tells the end of the task after this once more, without data: who has begun it again
                    // by then begins once more.
                    download.cancel { data in
                        receiver?.failed(name, ConnectionError.unreachable, resumeData: data)
                    }
                }
            }
        }

        private var session: URLSession? { lock.withLock { connection?.session } }
        private var receiver: (any BackgroundReceiver)? { lock.withLock { connection?.receiver } }
    }

    extension SystemSession: URLSessionDownloadDelegate {
        func urlSession(
            _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
            totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
        ) {
            guard let name = downloadTask.name else { return }
            receiver?.arrived(Int(clamping: totalBytesWritten), of: name)
        }

        func urlSession(
            _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
        ) {
            guard let name = downloadTask.name, let response = downloadTask.response as? HTTPURLResponse else { return }
            let head = HTTPHead(response)
            receiver?.finished(name, status: head.status, headers: head.headers, file: location)
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            guard let name = task.name, let error else { return }
            let failure = error as? URLError
            receiver?.failed(
                name, failure.map(ConnectionError.init) ?? .unreachable, resumeData: failure?.downloadTaskResumeData)
        }
    }

    extension URLSessionTask {
        fileprivate var name: BackgroundTask.Name? { taskDescription.flatMap(BackgroundTask.Name.init) }
    }
#endif
