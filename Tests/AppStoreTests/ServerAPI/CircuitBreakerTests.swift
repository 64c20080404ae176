import Foundation
import InAppPurchase
import StoreClient
import Synchronization
import TestSupport
import Testing

@testable import AppStore

@Suite struct CircuitBreakerTests {
    private static let threshold = CircuitBreaker.failuresToOpen

    private func opened(at date: Date = .t0) -> CircuitBreaker {
        let breaker = CircuitBreaker("test")
        for _ in 0..<Self.threshold { breaker.record(success: false, at: date) }
        return breaker
    }

    @Test func `Consecutive failures open the circuit breaker`() {
        let breaker = CircuitBreaker("test")
        for _ in 1..<Self.threshold { breaker.record(success: false, at: .t0) }
        #expect(breaker.record(success: true, at: .t0) == false)
        for _ in 1..<Self.threshold { breaker.record(success: false, at: .t0) }
        breaker.record(success: nil, at: .t0)
        #expect(breaker.state == .closed)
        breaker.record(success: false, at: .t0 + 1)
        #expect(breaker.state == .open(since: .t0 + 1))
        #expect(!breaker.admits(at: .t0 + 1))
    }

    @Test func `An open circuit breaker lets one probe through in each interval`() {
        let breaker = opened()
        let admitted = (0..<100).filter { breaker.admits(at: .t0 + Double($0)) }
        #expect(admitted == [30, 60, 90])
        #expect(breaker.state == .probing(since: .t0))
        breaker.record(success: false, at: .t0 + 100)
        #expect(breaker.state == .open(since: .t0))
        #expect(breaker.unavailability.retryDate == .t0 + 120)
        #expect(breaker.unavailability.detail == "test: breaker open")
    }

    /// An answer that shows nothing ends the probe but not the outage.
    @Test func `A probe without a clear answer leaves the circuit breaker open`() {
        let breaker = opened()
        #expect(breaker.admits(at: .t0 + 30))
        breaker.record(success: nil, at: .t0 + 31)
        #expect(breaker.state == .open(since: .t0))
        #expect(!breaker.admits(at: .t0 + 59))
        #expect(breaker.admits(at: .t0 + 60))
    }

    @Test func `A clock that is set far back does not keep the circuit breaker open`() {
        let breaker = opened()
        #expect(!breaker.admits(at: .t0 - 29))
        #expect(breaker.admits(at: .t0 - 3600))
    }

    @Test func `The end of an outage is reported once`() {
        let ends = Mutex<[Date]>([])
        let breakers = CircuitBreakers("test") { date in ends.withLock { $0.append(date) } }
        for _ in 0..<Self.threshold { breakers[.production].record(success: false, at: .t0) }
        #expect(breakers[.sandbox].state == .closed)
        #expect(breakers[.production].record(success: true, at: .t0 + 5))
        #expect(!breakers[.production].record(success: true, at: .t0 + 6))
        #expect(ends.withLock { $0 } == [.t0 + 5])
    }

    /// Whatever happens in whatever order, it does what a plain reading of its rules says.
    @Test(arguments: campaign(of: 200)) func `The circuit breaker agrees with a model of its rules`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let breaker = CircuitBreaker("test")
        var model = Model()
        var now = Date.t0
        for _ in 0..<300 {
            now += Double(Int.random(in: 0...12, using: &generator))
            if generator.flip() {
                #expect(breaker.admits(at: now) == model.admits(at: now))
            } else {
                let success = generator.pick(false as Bool?, true, nil)
                let closes = success == true && model.openSince != nil
                #expect(breaker.record(success: success, at: now) == closes)
                model.record(success, at: now)
            }
            #expect(breaker.state.outage == model.openSince)
            #expect((breaker.state == .closed) == (model.openSince == nil))
        }
    }

    /// The whole past, read anew for every question.
    private struct Model {
        var outcomes: [Bool] = []
        var openSince: Date?
        var lastProbe = Date.distantPast

        mutating func admits(at now: Date) -> Bool {
            if openSince == nil { return true }
            guard now >= lastProbe + 30 else { return false }
            lastProbe = now
            return true
        }

        mutating func record(_ success: Bool?, at now: Date) {
            guard let success else { return }
            outcomes.append(success)
            if success { return openSince = nil }
            guard openSince == nil, outcomes.suffix(5) == Array(repeating: false, count: 5)[...] else { return }
            (openSince, lastProbe) = (now, now)
        }
    }
}
