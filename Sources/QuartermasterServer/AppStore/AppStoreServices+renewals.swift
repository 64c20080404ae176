import AppStore
import Foundation
import InAppPurchase
import Ledger

extension AppStoreServices {
    /// The time limit for the extension and the request after it, while support waits.
    private static let extensionTime = Duration.seconds(20)

    func extendRenewal(
        of subscription: OriginalTransaction.Key, byDays days: Int, requestID: String, at now: Date
    ) async -> ExtensionAnswer {
        guard let key = await keys.key(for: subscription.app) else { return .withoutKey }
        let call = api.asking(for: key, in: subscription.environment, within: Self.extensionTime, at: now)
        let id = subscription.originalID
        do throws(AppStoreServerError) {
            let answer = try await call.extendRenewalDate(
                of: id, byDays: days, for: .customerSatisfaction, requestID: requestID)
            guard answer.isExtended, let date = answer.effectiveDate else { return .refused("not extended") }
            // The notification of the extension may come later, or never.
            return .extended(until: date, try? await call.subscriptions(of: id).receipt)
        } catch .notFound {
            return .unknown
        } catch .refused(let code) {
            return .refused(["\(code.rawValue)", code.name].compactMap { $0 }.joined(separator: " "))
        } catch {
            return .unavailable
        }
    }
}
