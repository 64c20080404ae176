import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Synchronization
import TestSupport

@testable import QuartermasterClient

/// The part of Apple's system that downloads while the app does not run, played: tasks outlive the app, go on where
/// they were cut off, wait as long as the system likes, fail with what they can be resumed by or without, and end with
/// the answer that is there, a refusal or half a file as well.
final class PlayedSession: BackgroundSession {
    /// The ways in which a task passes its turn.
    enum Manner: CaseIterable {
        case goesOn
        /// The connection ends early; the task goes on at its next turn.
        case cut
        case waits
        case fails
        /// It fails, and all that has arrived is lost.
        case isLost
        /// The answer ends early, and nobody says so.
        case isHalf
    }

    /// The data that the system gives for a task that failed.
    private struct ResumeData: Codable {
        var url: URL
        var day: Int
        var body: Data
    }

    private struct Running {
        var url: URL
        /// The day of its link, which is valid on no other.
        var day: Int
        var headers: [String: String]
        var body = Data()
        /// Of the request, not of the answer.
        let start: Int
        let size: Int
    }

    private enum Event {
        case arrived(Int)
        case finished(status: Int, headers: [String: String], body: Data)
        case failed(resumeData: Data?)
    }

    private struct State {
        var tasks: [BackgroundTask.Name: Running] = [:]
        var waiting: [(BackgroundTask.Name, Event)] = []
        var fetched: [String: Int] = [:]
        var lost: [String: [Int]] = [:]
        var requests: [ContentRequest] = []
        var day = 0
        weak var receiver: (any BackgroundReceiver)?

        mutating func lose(_ bytes: Int, of name: BackgroundTask.Name) {
            if bytes > 0 { lost[name.content, default: []].append(bytes) }
        }
    }

    private let state = Mutex(State())
    /// Held while the app is told something: it does not end meanwhile.
    private let telling = NSLock()

    /// The bytes that came over the network, by file.
    var fetched: [String: Int] { state.withLock(\.fetched) }
    /// The bytes that had arrived and are gone, each time, by file.
    var lost: [String: [Int]] { state.withLock(\.lost) }
    var requests: [ContentRequest] { state.withLock(\.requests) }
    var isIdle: Bool { state.withLock { $0.tasks.isEmpty && $0.waiting.isEmpty } }
    var hasEvents: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Forgets what was counted, for another device.
    func reset() { state.withLock { $0 = State() } }

    // MARK: What the app calls

    func connect(to receiver: any BackgroundReceiver) { state.withLock { $0.receiver = receiver } }

    func names() async -> Set<BackgroundTask.Name> {
        // What ended before is told before.
        deliver()
        return state.withLock { Set($0.tasks.keys) }
    }

    func start(_ task: BackgroundTask, resumeData: Data?) {
        let resumed = resumeData.flatMap { try? JSONDecoder().decode(ResumeData.self, from: $0) }
        state.withLock { state in
            // An app that has ended begins nothing, and has read nothing.
            guard state.receiver != nil else {
                if resumeData != nil { state.waiting.append((task.name, .failed(resumeData: resumeData))) }
                return
            }
            state.requests.append(task.request)
            state.tasks[task.name] = Running(
                url: resumed?.url ?? task.request.url, day: resumed?.day ?? state.day, headers: task.request.headers,
                body: resumed?.body ?? Data(),
                start: task.request.start, size: task.request.count)
        }
    }

    func cancel(_ name: BackgroundTask.Name) {
        state.withLock { state in
            guard let task = state.tasks.removeValue(forKey: name) else { return }
            let resumeData = Self.resumeData(of: task)
            if resumeData == nil { state.lose(task.body.count, of: name) }
            state.waiting.append((name, .failed(resumeData: resumeData)))
        }
    }

    private static func resumeData(of task: Running) -> Data? {
        // As on Apple's systems: of nothing, and of a range, there is none.
        guard task.start == 0, !task.body.isEmpty else { return nil }
        return try? JSONEncoder().encode(ResumeData(url: task.url, day: task.day, body: task.body))
    }

    // MARK: What the player, the network and the time do

    /// The app has ended, or is suspended.
    func disconnect() { telling.withLock { state.withLock { $0.receiver = nil } } }

    /// The player ends the app: the system ends its tasks.
    func quit() { for name in state.withLock({ Array($0.tasks.keys) }) { cancel(name) } }

    /// No link of a task is valid any longer.
    func passDay() { state.withLock { $0.day += 1 } }

    /// Tells the app what has happened, if there is one.
    func deliver() {
        telling.withLock {
            while let (receiver, name, event) = next() { tell(receiver, name, event) }
        }
    }

    private func tell(_ receiver: any BackgroundReceiver, _ name: BackgroundTask.Name, _ event: Event) {
        switch event {
        case .arrived(let bytes): receiver.arrived(bytes, of: name)
        case .finished(let status, let headers, let body):
            let file = FileManager.default.temporaryDirectory.appending(path: "played-\(UUID().uuidString)")
            try? body.write(to: file)
            receiver.finished(name, status: status, headers: headers, file: file)
            try? FileManager.default.removeItem(at: file)
        case .failed(let resumeData): receiver.failed(name, ConnectionError.unreachable, resumeData: resumeData)
        }
    }

    private func next() -> (any BackgroundReceiver, BackgroundTask.Name, Event)? {
        state.withLock { state in
            guard let receiver = state.receiver, !state.waiting.isEmpty else { return nil }
            let (name, event) = state.waiting.removeFirst()
            return (receiver, name, event)
        }
    }

    /// Gives each task its turn.
    func turn(_ manner: (BackgroundTask.Name) -> Manner) async {
        let names = state.withLock { state in state.tasks.keys.sorted { $0.text < $1.text } }
        for name in names { await turn(name, manner(name)) }
    }

    private func turn(_ name: BackgroundTask.Name, _ manner: Manner) async {
        guard let task = state.withLock({ $0.tasks[name] }) else { return }
        switch manner {
        case .waits: return
        case .fails: return cancel(name)
        case .isLost where state.withLock({ $0.lost[name.content] }) == nil:
            return state.withLock { state in
                state.tasks[name] = nil
                state.lose(task.body.count, of: name)
                state.waiting.append((name, .failed(resumeData: nil)))
            }
        case .goesOn, .isLost: await fetch(name, task, upTo: .max, isWhole: false)
        case .cut, .isHalf: await fetch(name, task, upTo: max(task.size / 3, 1), isWhole: manner == .isHalf)
        }
    }

    /// - Parameter isWhole: whether what has arrived then passes for all.
    private func fetch(_ name: BackgroundTask.Name, _ task: Running, upTo limit: Int, isWhole: Bool) async {
        var task = task
        let isExpired = state.withLock { $0.day > task.day }
        var request = HTTPClientRequest(url: task.url.absoluteString + (isExpired ? "x" : ""))
        // Apple's decodes what is encoded.
        request.headers.add(name: "Accept-Encoding", value: "identity")
        for (field, value) in task.headers { request.headers.replaceOrAdd(name: field, value: value) }
        if !task.body.isEmpty, task.start == 0 {
            request.headers.replaceOrAdd(name: "Range", value: "bytes=\(task.body.count)-")
        }
        let before = task.start == 0 ? task.body.count : 0
        if task.start > 0 {
            // It begins anew.
            state.withLock { [task] in $0.lose(task.body.count, of: name) }
            task.body = Data()
        }
        guard let answer = try? await HTTPClient.shared.execute(request, timeout: .seconds(60)) else { return }
        var isCut = false
        if (200..<300).contains(answer.status.code) {
            isCut = await read(answer.body, into: &task.body, upTo: limit)
        } else {
            state.withLock { [task] in $0.lose(task.body.count, of: name) }
            task.body = Data()
        }
        let fields = Dictionary(answer.headers.map { ($0.name, $0.value) }) { first, _ in first }
        let count = task.body.count
        state.withLock { [task] state in
            state.fetched[name.content, default: 0] += count - min(before, count)
            guard state.tasks[name] != nil else { return state.lose(count - min(before, count), of: name) }
            state.tasks[name] = task
            state.waiting.append((name, .arrived(count)))
            guard !isCut || isWhole else { return }
            state.tasks[name] = nil
            // The answer to what was asked for at first, whatever was asked for in between.
            let status = before > 0 && answer.status == .partialContent ? 200 : Int(answer.status.code)
            let ranged = before > 0 ? ["content-range", "content-length"] : []
            let own = fields.filter { !ranged.contains($0.key.lowercased()) }
            state.waiting.append((name, .finished(status: status, headers: own, body: task.body)))
        }
    }

    /// - Returns: whether it ended before the answer did.
    private func read(_ body: HTTPClientResponse.Body, into data: inout Data, upTo limit: Int) async -> Bool {
        var rest = limit
        do {
            for try await chunk in body {
                data.append(contentsOf: chunk.readableBytesView.prefix(rest))
                rest -= min(chunk.readableBytes, rest)
                if rest == 0 { return true }
            }
            return false
        } catch {
            return true
        }
    }
}
