import Foundation
import InAppPurchase
import Synchronization

/// A cache with one token for each app, used until one minute before it expires.
final class ServerTokens: Sendable {
    /// One token for each app that ever had a key, so there are few.
    private let tokens = Mutex<[BundleID: ServerToken]>([:])

    /// - Throws: as ``ServerToken/init(_:at:)``.
    func token(for key: AppStoreServerKey, at now: Date) throws -> String {
        if let token = tokens.withLock({ $0[key.bundleID] }), token.serves(key, at: now) { return token.text }
        let token = try ServerToken(key, at: now)
        tokens.withLock { $0[key.bundleID] = token }
        return token.text
    }

    /// Discards a token that the App Store refused: the next request signs a new one.
    func discard(for key: AppStoreServerKey) { tokens.withLock { $0[key.bundleID] = nil } }
}
