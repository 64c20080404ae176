import Basics
import Crypto
import Foundation
import InAppPurchase
import Ledger
import NIOCore
import ServerHTTP

/// All entitlements of an account, and its balances.
struct EntitlementsBody: Encodable {
    struct Restored: Encodable {
        var receipt: String
        var status: ReceiptAnswer.Status
        var reason: String?
        var remedy: TransferRemedy?
        var finish: Bool
        var provisionalUntil: Date?
    }

    var account: String
    var at: Date
    var entitlements: [EntitlementBody]
    /// Omitted if no app is named and there are several.
    var balances: Credits?
    var receipts: [Restored]?
    /// The JWS of ``EntitlementSigner``; omitted where ``balances`` are.
    var signed: String?

    /// The entity tag over everything in the JSON but ``at``: a later time alone is no change. The account is included,
    /// so two accounts never share a tag.
    ///
    /// - Parameter json: ``json(times:)``, unsigned.
    func tag(of json: ByteBuffer) -> String {
        let view = json.readableBytesView
        let time = view.firstRange(of: Array("\"at\":\"\(TimeFormat.wholeSeconds.text(of: at))\"".utf8))
        var hash = SHA256()
        hash.update(data: view[..<(time?.lowerBound ?? view.endIndex)])
        hash.update(data: view[(time?.upperBound ?? view.endIndex)...])
        return Data(hash.finalize().prefix(16)).hex
    }
}
