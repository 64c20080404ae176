import AppStore
package import ServerHTTP

extension BodyLimits {
    /// A notification of either version.
    package static let notification = BodyLimits(
        maximumBytes: LegacyNotification.maximumSize, maximumTime: Limits.bodyTime, json: .notification)
    /// A notification of version 2, and the JSON around it.
    static let signedNotification = BodyLimits(
        maximumBytes: NotificationVerifier.maximumSize + (4 << 10), maximumTime: Limits.smallBodyTime,
        json: .notification)
}
