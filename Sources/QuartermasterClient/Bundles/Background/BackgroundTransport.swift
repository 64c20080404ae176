import Foundation

/// Has the system fetch content, also while the app is suspended or has ended: one task a file.
///
/// An answer that comes when nobody waits for it, as after a relaunch, is kept in a folder until its request is
/// repeated. A task of an earlier launch is not begun again: whoever repeats its request waits for it.
///
/// `@unchecked Sendable`: `waiters`, `asked` and `ended` are read and written with `lock` held alone, and answers are
/// stored with it held.
public final class BackgroundTransport: ContentTransport, @unchecked Sendable {
    private struct Waiter {
        let id: UUID
        let sink: ContentSink
        let continuation: CheckedContinuation<Void, any Error>
    }

    private let session: any BackgroundSession
    private let folder: BackgroundFolder
    private let lock = NSLock()
    private var waiters: [BackgroundTask.Name: Waiter] = [:]
    /// Tasks whose requests have begun and not ended.
    private var asked: Set<BackgroundTask.Name> = []
    /// Those of them that failed before anybody waited for them.
    private var ended: Set<BackgroundTask.Name> = []

    public var isBackground: Bool { true }

    /// - Throws: if the folder cannot be made.
    init(session: any BackgroundSession, folder: URL) throws {
        self.session = session
        self.folder = try BackgroundFolder(folder)
        session.connect(to: self)
    }

    /// Whether something that has arrived waits for its request.
    var hasUnclaimed: Bool { lock.withLock { !folder.names.isEmpty } }

    public func receive(_ request: ContentRequest, into sink: ContentSink) async throws {
        let name = BackgroundTask.Name(content: request.content, start: request.start)
        lock.withLock { _ = asked.insert(name) }
        defer {
            lock.withLock {
                asked.remove(name)
                ended.remove(name)
            }
        }
        let running = await session.names()
        // One that began elsewhere would fetch again what is here.
        for other in running where other.content == name.content && other != name { session.cancel(other) }
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                wait(
                    for: BackgroundTask(name: name, request: request), isRunning: running.contains(name),
                    Waiter(id: id, sink: sink, continuation: continuation))
            }
        } onCancel: {
            leave(name, id)
        }
    }

    private func wait(for task: BackgroundTask, isRunning: Bool, _ waiter: Waiter) {
        let result = lock.withLock { () -> Result<Void, any Error>? in
            // Whoever cancels it from now on finds the waiter.
            guard !Task.isCancelled else { return .failure(CancellationError()) }
            if let answer = folder.answer(task.name) {
                defer { folder.remove(task.name) }
                return Result { try waiter.sink.receive(answer) }
            }
            waiters[task.name] = waiter
            if !isRunning || ended.contains(task.name) {
                session.start(task, resumeData: folder.resumeData(task.name))
                // It is used once: what it leads to may be gone, and would be asked for without end.
                folder.removeResumeData(task.name)
            }
            return nil
        }
        if let result { waiter.continuation.resume(with: result) }
    }

    /// The task goes on: it is the system's, and ``retain(_:paused:)`` ends it.
    private func leave(_ name: BackgroundTask.Name, _ id: UUID) {
        let waiter = lock.withLock { waiters[name]?.id == id ? waiters.removeValue(forKey: name) : nil }
        waiter?.continuation.resume(throwing: CancellationError())
    }

    public func retain(_ content: Set<String>, paused: Set<String>) async {
        let running = await session.names()
        lock.withLock {
            // A download that began meanwhile waits for its own.
            for name in running where waiters[name] == nil {
                if !content.contains(name.content) || paused.contains(name.content) { session.cancel(name) }
            }
            folder.remove { waiters[$0] == nil && !content.contains($0.content) }
        }
    }
}

extension BackgroundTransport: BackgroundReceiver {
    func arrived(_ bytes: Int, of name: BackgroundTask.Name) {
        lock.withLock { waiters[name] }?.sink.announce(bytes)
    }

    func finished(_ name: BackgroundTask.Name, status: Int, headers: [String: String], file: URL) {
        let answer = BackgroundFolder.Answer(status: status, headers: headers, file: file)
        let waiter = lock.withLock { () -> Waiter? in
            if let waiter = waiters.removeValue(forKey: name) { return waiter }
            folder.save(answer, name)
            return nil
        }
        waiter?.continuation.resume(with: Result { try waiter?.sink.receive(answer) })
    }

    func failed(_ name: BackgroundTask.Name, _ error: any Error, resumeData: Data?) {
        let waiter = lock.withLock { () -> Waiter? in
            if let resumeData { folder.save(resumeData: resumeData, name) }
            if let waiter = waiters.removeValue(forKey: name) { return waiter }
            if asked.contains(name) { ended.insert(name) }
            return nil
        }
        waiter?.continuation.resume(throwing: error)
    }
}

extension ContentSink {
    fileprivate func receive(_ answer: BackgroundFolder.Answer) throws {
        try begin(status: answer.status, headers: answer.headers)
        try append(contentsOf: answer.file)
    }
}

/// The folder of what has arrived of tasks, by their names, while nobody waited for it.
private struct BackgroundFolder {
    struct Answer {
        let status: Int
        let headers: [String: String]
        let file: URL
    }

    private struct Head: Codable, Sendable {
        let status: Int
        let headers: [String: String]
    }

    private let root: URL

    init(_ root: URL) throws {
        self.root = root
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    }

    /// The tasks with answers.
    var names: [BackgroundTask.Name] { all.filter { $0.suffix == "json" }.map(\.name) }

    func answer(_ name: BackgroundTask.Name) -> Answer? {
        guard let head = head(name).loadIfReadable(), PartialFile.size(of: url(name, "body")) != nil else { return nil }
        return Answer(status: head.status, headers: head.headers, file: url(name, "body"))
    }

    /// Moves the file. What cannot be stored is lost, and fetched again.
    func save(_ answer: Answer, _ name: BackgroundTask.Name) {
        guard (try? DurableFile.rename(answer.file, to: url(name, "body"))) != nil else { return }
        try? head(name).save(Head(status: answer.status, headers: answer.headers))
    }

    func save(resumeData: Data, _ name: BackgroundTask.Name) {
        try? DurableFile.write(resumeData, to: url(name, "resume"))
    }

    func resumeData(_ name: BackgroundTask.Name) -> Data? { try? Data(contentsOf: url(name, "resume")) }

    func removeResumeData(_ name: BackgroundTask.Name) { try? FileManager.default.removeItem(at: url(name, "resume")) }

    func remove(_ name: BackgroundTask.Name) {
        for suffix in ["json", "body"] { try? FileManager.default.removeItem(at: url(name, suffix)) }
    }

    func remove(where isUnneeded: (BackgroundTask.Name) -> Bool) {
        for (name, suffix) in all where isUnneeded(name) { try? FileManager.default.removeItem(at: url(name, suffix)) }
    }

    private var all: [(name: BackgroundTask.Name, suffix: String)] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        return files.compactMap { file in
            let parts = file.split(separator: ".")
            guard parts.count == 2, let name = BackgroundTask.Name(String(parts[0])) else { return nil }
            return (name, String(parts[1]))
        }
    }

    private func head(_ name: BackgroundTask.Name) -> StoredFile<Head> { StoredFile(url(name, "json")) }

    private func url(_ name: BackgroundTask.Name, _ suffix: String) -> URL {
        root.appendingPathComponent("\(name.text).\(suffix)")
    }
}
