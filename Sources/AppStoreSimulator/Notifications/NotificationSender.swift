import AsyncHTTPClient
import Foundation
import InAppPurchase
import Logging
import NIOCore
import NIOHTTP1
import ServiceLifecycle

/// Posts the notifications in the outbox, one after the other.
struct NotificationSender: Service {
    /// The time limit of an attempt. A server responds before it works; one that halts in a debugger must not delay the
    /// others for long.
    static let attemptTime = TimeAmount.seconds(10)
    /// The interval at which it looks for notifications that have become due by the clock.
    static let interval = Duration.seconds(1)
    /// The maximum number of redirects that are followed.
    static let redirections = 5

    let outbox: Outbox
    let book: NotificationBook
    let clock: @Sendable () -> Date
    let logger: Logger

    func run() async throws {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .follow(max: Self.redirections, allowCycles: false))
        // An attempt that fails is recorded; the next one is due by Apple's retry rule.
        configuration.connectionPool.retryConnectionEstablishment = false
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let (changes, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await outbox.observe { signal.yield() }
        await cancelWhenGracefulShutdown {
            await withTaskGroup { group in
                group.addTask { while (try? await Task.sleep(for: Self.interval)) != nil { signal.yield() } }
                for await _ in changes { await sendDue(http) }
                group.cancelAll()
            }
        }
        try await http.shutdown()
    }

    private func sendDue(_ http: HTTPClient) async {
        while !Task.isCancelled, let sending = await outbox.next(at: clock()) {
            do {
                let result = try await attempt(sending, http)
                try await outbox.enter(result, of: sending.delivery, at: clock().wholeMilliseconds)
            } catch is CancellationError {
                return
            } catch {
                // An attempt that cannot be stored would be repeated again and again without a pause.
                logger.error("A notification's attempt was not recorded", metadata: ["error": "\(error)"])
                return
            }
        }
    }

    /// - Throws: `CancellationError` if the notification may not have been sent, and what the key/value store throws.
    private func attempt(_ sending: Outbox.Sending, _ http: HTTPClient) async throws -> SendAttempt.Result {
        guard !sending.isDropped, let notification = try await book.notification(of: sending.delivery) else {
            return .timedOut
        }
        let result = await post(notification.body, to: sending.delivery.url, http)
        // Any failure then has its cause in the cancellation.
        try Task.checkCancellation()
        if sending.isDoubled { _ = await post(notification.body, to: sending.delivery.url, http) }
        return result
    }

    private func post(_ body: Data, to url: String, _ http: HTTPClient) async -> SendAttempt.Result {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(ByteBuffer(bytes: body))
        do {
            let response = try await http.execute(request, timeout: Self.attemptTime)
            return (200...206).contains(response.status.code) ? .success : .unsuccessful
        } catch {
            return SendAttempt.Result(error)
        }
    }
}

extension SendAttempt.Result {
    fileprivate init(_ error: any Error) {
        if let error = error as? HTTPClientError {
            self = Self.results.first { $0.errors.contains(error) }?.result ?? .other
        } else {
            self = error is HTTPParserError ? .invalidResponse : .socketIssue
        }
    }

    private static let results: [(errors: [HTTPClientError], result: SendAttempt.Result)] = [
        ([.connectTimeout, .readTimeout, .writeTimeout, .deadlineExceeded], .timedOut),
        ([.redirectCycleDetected, .redirectLimitReached], .circularRedirect),
        ([.remoteConnectionClosed], .prematureClose),
    ]
}

/// An attempt to send a notification (Apple, sendAttemptItem).
struct SendAttempt: Codable, Sendable {
    enum Result: String, Codable, Sendable {
        case success = "SUCCESS"
        case timedOut = "TIMED_OUT"
        case circularRedirect = "CIRCULAR_REDIRECT"
        case noResponse = "NO_RESPONSE"
        case socketIssue = "SOCKET_ISSUE"
        case invalidResponse = "INVALID_RESPONSE"
        case prematureClose = "PREMATURE_CLOSE"
        case unsuccessful = "UNSUCCESSFUL_HTTP_RESPONSE_CODE"
        case other = "OTHER"
    }

    var date: Date
    var result: Result
}
