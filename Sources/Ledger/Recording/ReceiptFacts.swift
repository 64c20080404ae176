package import Foundation
package import InAppPurchase

/// The status of a receipt, without its contents.
package struct ReceiptFacts: Sendable {
    package var id: String
    package var kind: Receipt.Kind
    package var status: ReceiptAnswer.Status
    package var rejection: ReceiptRejection.Reason?
    /// The bundle ID that the client stated.
    package var bundleID: BundleID?
    /// The version of the app that it names; `nil` if it names none, or was refused.
    package var appVersion: String?
    /// See ``/InAppPurchase/AppVersion/externalID``.
    package var versionExternalID: Int?
    /// Whether that was below the minimum of the app's ``/InAppPurchase/ReceiptVersions`` when it was recorded.
    package var isBelowMinimum: Bool
    /// The app of its purchases, or else the one that the client stated; `nil` if neither is known.
    package var app: BundleID?
    package var attempts: Attempts
    package var recordedAt: Date
    /// The date of the first answer other than `pending`.
    package var answeredAt: Date?
    /// The date when the App Store is asked again.
    package var retryAt: Date?

    package init(
        id: String, kind: Receipt.Kind, status: ReceiptAnswer.Status, rejection: ReceiptRejection.Reason?,
        bundleID: BundleID?, app: BundleID?, appVersion: String? = nil, versionExternalID: Int? = nil,
        isBelowMinimum: Bool = false, attempts: Attempts, recordedAt: Date, answeredAt: Date?, retryAt: Date?
    ) {
        self.id = id
        self.kind = kind
        self.status = status
        self.rejection = rejection
        self.bundleID = bundleID
        self.app = app
        self.appVersion = appVersion
        self.versionExternalID = versionExternalID
        self.isBelowMinimum = isBelowMinimum
        self.attempts = attempts
        self.recordedAt = recordedAt
        self.answeredAt = answeredAt
        self.retryAt = retryAt
    }
}
