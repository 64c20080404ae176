import AppStore
import Foundation
import InAppPurchase
import ServerCore
import StoreClient

/// Test notifications (Apple, "Request a Test Notification").
extension AppStoreServices {
    /// The time limit of one request, while an administrator waits.
    static let testTime = Duration.seconds(20)

    func requestTestNotification(
        for app: BundleID, in environment: InAppPurchase.Environment, at now: Date
    ) async -> TestNotificationAnswer {
        guard let key = await keys.key(for: app) else { return .refused(.noKey, "no key for the Server API") }
        let call = api.asking(for: key, in: environment, within: Self.testTime, at: now)
        do throws(AppStoreServerError) { return .requested(token: try await call.requestTestNotification()) } catch {
            return TestNotificationAnswer(error)
        }
    }

    func testNotificationResult(
        _ token: String, for app: BundleID, in environment: InAppPurchase.Environment, at now: Date
    ) async -> String? {
        guard let key = await keys.key(for: app) else { return nil }
        let call = api.asking(for: key, in: environment, within: Self.testTime, at: now)
        return try? await call.testNotification(token).attempts.max { $0.date < $1.date }?.result
    }
}

extension TestNotificationAnswer {
    fileprivate init(_ error: AppStoreServerError) {
        let noURL = AppStoreServerErrorCode.serverNotificationURLNotFound.description
        switch error {
        case .unavailable(let trouble) where trouble.cause == .misconfigured:
            self = .refused(trouble.detail == noURL ? .noURL : .refused, trouble.detail)
        case .unavailable(let trouble): self = .unavailable(trouble.detail)
        case .refused(let code): self = .refused(.refused, code.description)
        case .notFound(let code): self = .refused(.refused, code?.description ?? "not found")
        }
    }
}
