import AppStore
import Foundation
import InAppPurchase
import Ledger
import Logging
import ServerCore
import ServerHTTP
import StoreClient

/// Answers the App Store's consumption requests from the records, if the customer consented.
package struct ConsumptionResponder: Sendable {
    /// The number of requests read in one round.
    static let atOnce = 4
    static let attemptTime = Duration.seconds(30)
    /// In seconds, until the next attempt; within the time that the App Store allows there are many.
    static let lease: TimeInterval = 300

    let ledger: any StoreLedger
    let decisions: ServingContext
    let api: AppStoreServerClient
    let keys: StoreKeys
    let logger: Logger

    /// Answers or postpones every request of one batch that is due.
    package func answerDueRequests() async {
        do {
            let now = decisions.clock()
            let due = try await ledger.dueConsumptionRequests(
                limit: Self.atOnce, lease: now.addingTimeInterval(Self.lease), at: now)
            for request in due {
                guard let outcome = try await outcome(of: request) else { continue }
                try await ledger.finish(request, outcome, at: decisions.clock())
                logger.info(
                    "consumption request finished",
                    metadata: ["notification": "\(request.id)", "outcome": "\(outcome.rawValue)"])
            }
        } catch {
            logger.error("consumption requests could not be answered", metadata: ["error": "\(error)"])
        }
    }

    /// The outcome of a request; `nil` if it is to be tried again.
    private func outcome(of request: ConsumptionRequest) async throws -> ConsumptionRequest.Outcome? {
        let context = decisions.context
        guard !request.isTooLate(at: context.date) else { return .tooLate }
        guard let key = await keys.key(for: request.transaction.app) else { return .withoutKey }
        guard let report = try await ledger.consumption(for: request, in: context) else { return .withoutConsent }
        let call = api.asking(for: key, in: request.transaction.environment, within: Self.attemptTime, at: context.date)
        do throws(AppStoreServerError) {
            try await call.send(ConsumptionInformation(report), about: request.transaction.id)
            return .answered
        } catch .unavailable(let trouble) {
            logger.warning(
                "the App Store does not accept an answer now",
                metadata: ["notification": "\(request.id)", "detail": "\(trouble.detail)"])
            return nil
        } catch {
            return .refused
        }
    }
}

extension ConsumptionInformation {
    /// The information about the purchase of a customer who consented.
    fileprivate init(_ report: ConsumptionReport) {
        let deliveryStatus: DeliveryStatus =
            switch report.deliveryStatus {
            case .delivered: .delivered
            case .serverOutage: .serverOutage
            case .undelivered: .other
            }
        self.init(
            customerConsented: true, deliveryStatus: deliveryStatus, sampleContentProvided: report.hasSample,
            consumptionPercentage: report.consumedMilliPercent)
    }
}
