import AppStore
import HTTPTypes
import Testing

@testable import QuartermasterServer

@Suite struct BusyTests {
    /// No verdict and no trouble of the operator's: the app sends it again, and finishes nothing.
    @Test func anAnswerToComeBackLater() {
        let (problem, isOurs) = Problem.from(VerifierUnavailable())
        #expect(problem.status == .serviceUnavailable && problem.code == "busy" && !isOurs)
        #expect(problem.retryAfter == 5 && problem.finish == false)
    }
}
