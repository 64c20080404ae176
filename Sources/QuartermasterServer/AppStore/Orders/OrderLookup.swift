import AppStore
import Foundation
import InAppPurchase
import StoreClient

/// Asks the App Store for the transactions of an order, by the number in the customer's e-mail.
struct OrderLookup: Sendable {
    /// The maximum number of apps that are asked, one after another; the App Store takes ten requests a second of each.
    static let maximumApps = 10
    /// The time limit for all of them, while support waits.
    static let time = Duration.seconds(20)

    let api: AppStoreServerClient
    let keys: StoreKeys

    /// - Parameter apps: asked in this order, those with a key only.
    func answer(to order: String, of apps: [BundleID], at now: Date) async -> OrderAnswer {
        let deadline = ContinuousClock.now + Self.time
        var (asked, silent) = (0, 0)
        for app in apps {
            guard let key = await keys.key(for: app) else { continue }
            guard asked < Self.maximumApps else { break }
            asked += 1
            let call = api.asking(for: key, in: .production, within: deadline - .now, at: now)
            do throws(AppStoreServerError) {
                return .found(try await call.order(order).receipt)
            } catch .unavailable {
                silent += 1
            } catch {
                continue
            }
        }
        if asked == 0 { return .withoutKey }
        return silent == 0 ? .unknown : .unavailable
    }
}
