import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The running exchanges, and the delegate that hands each its answer.
///
/// `@unchecked Sendable`: `running` is read and written with `lock` held alone; the session calls for one task after
/// the other on its serial queue.
final class Exchanges: NSObject, @unchecked Sendable {
    private struct Exchange {
        let request: HTTPRequest
        let sink: any ResponseSink
        let continuation: CheckedContinuation<HTTPHead, any Error>
        var head: HTTPHead?
        var redirections = 0
    }

    private let lock = NSLock()
    private var running: [Int: Exchange] = [:]

    func begin(
        _ task: URLSessionTask, for request: HTTPRequest, sink: any ResponseSink,
        continuation: CheckedContinuation<HTTPHead, any Error>
    ) {
        lock.withLock {
            running[task.taskIdentifier] = Exchange(request: request, sink: sink, continuation: continuation)
        }
    }

    /// Ends an exchange. The second time nothing happens.
    private func end(_ task: URLSessionTask, with result: Result<HTTPHead, any Error>) {
        let exchange = lock.withLock { running.removeValue(forKey: task.taskIdentifier) }
        exchange?.continuation.resume(with: result)
    }

    private func exchange(of task: URLSessionTask) -> Exchange? { lock.withLock { running[task.taskIdentifier] } }

    /// Calls the sink, and ends the exchange if it throws.
    private func perform(_ task: URLSessionTask, _ work: (Exchange) throws -> Void) {
        guard let exchange = exchange(of: task) else { return }
        do {
            try work(exchange)
        } catch {
            end(task, with: .failure(error))
            task.cancel()
        }
    }
}

extension Exchanges: URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let head = (response as? HTTPURLResponse).map(HTTPHead.init)
        lock.withLock { running[dataTask.taskIdentifier]?.head = head }
        perform(dataTask) { exchange in
            guard let head else { throw ConnectionError.unreachable }
            try exchange.sink.begin(head)
        }
        completionHandler(exchange(of: dataTask) == nil ? .cancel : .allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        perform(dataTask) { exchange in try exchange.sink.append(data) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error { return end(task, with: .failure(connectionError(error))) }
        end(task, with: exchange(of: task)?.head.map(Result.success) ?? .failure(ConnectionError.unreachable))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let count = lock.withLock {
            running[task.taskIdentifier]?.redirections += 1
            return running[task.taskIdentifier]?.redirections ?? 0
        }
        guard let request = exchange(of: task)?.request, request.follows(to: newRequest.url),
            count <= HTTPLimits.redirections
        else {
            end(task, with: .failure(ConnectionError.redirected))
            // The rest of the answer is cancelled when it comes: on Linux, a task that is cancelled here traps.
            return completionHandler(nil)
        }
        var next = newRequest
        for (name, value) in request.headers { next.setValue(value, forHTTPHeaderField: name) }
        completionHandler(next)
    }

    private func connectionError(_ error: any Error) -> any Error {
        guard let error = error as? URLError else { return ConnectionError.unreachable }
        return error.code == .cancelled ? CancellationError() : ConnectionError(error)
    }
}

extension HTTPHead {
    init(_ response: HTTPURLResponse) {
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers[name.lowercased()] = value }
        }
        self.init(status: response.statusCode, headers: headers)
    }
}
