package import InAppPurchase
package import Logging
import ServerHTTP

/// One thing that a server warns of at its start, and that the overview lists until it is settled.
package struct SetupItem: Codable, Hashable, Sendable {
    /// The subjects of items. Answers have the raw values, so they must not change.
    package enum Kind: String, CaseIterable, Sendable {
        case simulator
        case xcodeCertificates
        case noStoreKey
        case noStoreID
        case finishWithoutKey
        case sandboxNobody
        case unknownApp
        case unknownPlacementProduct
    }

    /// The raw value of a ``Kind``: a later version of the server may write others into the ledger.
    package var item: String
    /// The app that it is about; `nil` for the whole server.
    package var app: BundleID?
    /// The message in the log.
    package var detail: String
    /// The place in the catalog, and its mistake; `nil` if there is none.
    package var mistake: String?
    /// The advice that settles it, in one line.
    package var remedy: String

    package init(_ kind: Kind, of app: BundleID? = nil, _ detail: String, mistake: String? = nil, remedy: String) {
        item = kind.rawValue
        self.app = app
        self.detail = detail
        self.mistake = mistake
        self.remedy = remedy
    }

    /// The app and the details, in one line without a full stop.
    package var words: String { [app?.text, detail, mistake].compactMap { $0 }.joined(separator: ": ") }

    package func log(to logger: Logger) {
        var metadata: Logger.Metadata = [:]
        metadata["app"] = app.map { "\($0)" }
        metadata["mistake"] = mistake.map { "\($0)" }
        logger.warning("\(detail)", metadata: metadata)
    }
}
