import Foundation
import InAppPurchase
import StoreClient
import StrictJSON

/// Requests of one app to the App Store Server API within one time limit; made by
/// ``AppStoreServerClient/asking(for:in:within:at:)``.
///
/// No request is retried by itself: one that failed as `unavailable`, `temporary` may be repeated later, and those that
/// change something may be repeated unchanged.
public struct AppStoreServerCall: Sendable {
    let client: AppStoreServerClient
    let key: AppStoreServerKey
    var environment: Environment?
    /// Whether its requests leave half of the burst to others.
    var isLast = false
    let deadline: ContinuousClock.Instant
    /// The start of the call, on both clocks.
    let now: Date
    let began = ContinuousClock.now

    /// The response, and the environment that it came from.
    func answer<Body: Decodable & Sendable>(
        to request: ServerAPIRequest, as type: Body.Type = Body.self
    ) async throws(AppStoreServerError) -> (environment: Environment, body: Body) {
        try await hopping(request) { try StrictJSON($0, .serverAPIAnswer, tolerance: .known).decode(type) }
    }

    /// The same call behind others: for questions that anybody can cause, as about transaction IDs.
    package func behindOthers() -> AppStoreServerCall {
        var call = self
        call.isLast = true
        return call
    }

    /// Sends a request whose response has no body.
    func perform(_ request: ServerAPIRequest) async throws(AppStoreServerError) {
        _ = try await hopping(request) { _ in true }
    }

    private func hopping<Value: Sendable>(
        _ request: ServerAPIRequest, read: @Sendable (Data) throws -> Value
    ) async throws(AppStoreServerError) -> (environment: Environment, body: Value) {
        if let environment { return (environment, try await ask(request, in: environment, read: read)) }
        let refusal: AppStoreServerError
        do {
            return (.production, try await ask(request, in: .production, read: read))
        } catch {
            guard error.leadsElsewhere else { throw error }
            refusal = error
        }
        do {
            return (.sandbox, try await ask(request, in: .sandbox, read: read))
        } catch {
            throw refusal.joined(error)
        }
    }

    private func ask<Value: Sendable>(
        _ request: ServerAPIRequest, in environment: Environment, read: @Sendable (Data) throws -> Value
    ) async throws(AppStoreServerError) -> Value {
        // Apple has no API for transactions made by Xcode.
        guard environment != .xcode else { throw .notFound(nil) }
        let breaker = client.breakers[environment]
        guard breaker.admits(at: now) else { throw .unavailable(breaker.unavailability) }
        let limit = RateLimitKey(app: key.bundleID, environment: environment, limit: request.limit)
        let asked = ContinuousClock.now
        let outcome = await outcome(of: request, under: limit, read: read)
        breaker.record(success: outcome.isUsable, at: now)
        apply(outcome, to: limit)
        recordKey(outcome, in: environment, took: asked.duration(to: .now))
        return try outcome.result.get()
    }

    private func outcome<Value: Sendable>(
        of request: ServerAPIRequest, under limit: RateLimitKey, read: @Sendable (Data) throws -> Value
    ) async -> ServerAPIOutcome<Value> {
        let token: String
        do {
            token = try self.token()
            try await waitForTurn(under: limit)
        } catch {
            return ServerAPIOutcome(error, isUsable: nil)
        }
        let exchange = await client.http.exchange(
            request.http(base: client.endpoints[limit.environment], token: token),
            within: min(remaining, AppStoreServerClient.maximumExchangeTime))
        return ServerAPIOutcome(exchange, at: now, read: read)
    }

    private var remaining: Duration { ContinuousClock.now.duration(to: deadline) }

    /// The present date by the monotonic clock: a history of many pages takes minutes.
    private var currentDate: Date { now.addingTimeInterval(began.duration(to: .now) / .seconds(1)) }

    private func waitForTurn(under limit: RateLimitKey) async throws(AppStoreServerError) {
        switch client.pacer.enter(limit, at: currentDate, within: remaining, isLast: isLast) {
        case .after(.zero): return
        case .after(let wait):
            defer { client.pacer.leave(limit) }
            do {
                try await Task.sleep(for: wait)
            } catch {
                throw .temporary(StoreExchange.timeout)
            }
        case .refused(let wait):
            let retryDate = now.addingTimeInterval(wait / .seconds(1))
            throw .unavailable(Unavailability(.temporary, "rate limit: no turn in time", retryDate: retryDate))
        }
    }

    private func token() throws(AppStoreServerError) -> String {
        do {
            return try client.tokens.token(for: key, at: now)
        } catch {
            throw .temporary("no token could be signed")
        }
    }

    /// Records whether the App Store took the key, if it answered.
    private func recordKey<Value>(_ outcome: ServerAPIOutcome<Value>, in environment: Environment, took time: Duration)
    {
        guard outcome.isUsable == true else { return }
        let isRefused = if case .failure(let error) = outcome.result { error.isRefusedKey } else { false }
        let counts = client.refusedKeys.record(isRefused, of: key.bundleID, in: environment, at: now)
        if isRefused, counts { client.onRefusedKey(time) }
    }

    /// Applies the outcome to later requests: a pause by the rate limit, or a new token.
    private func apply<Value>(_ outcome: ServerAPIOutcome<Value>, to limit: RateLimitKey) {
        if let end = outcome.pauseDate { client.pacer.pause(limit, at: currentDate, until: end) }
        // The token may be wrong: made while the clock was wrong, or with a key that Apple did not know yet.
        if case .failure(.unavailable(Unavailability(.misconfigured))) = outcome.result {
            client.tokens.discard(for: key)
        }
    }
}
