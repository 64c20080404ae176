import AppStore
import Crypto
import Foundation
import InAppPurchase
import Synchronization

@testable import AppStoreService
@testable import CommandLine
@testable import ServerCore
@testable import ServerHTTP

/// The files of scripts/signed_data.py, and verifiers that trust its roots.
struct SignedData: Sendable {
    static let apps: Set<BundleID> = [BundleID(stored: "com.example.hangman")]

    let transaction: Data
    let header: Data
    let transactions: SignedTransactionVerifier
    let notifications: NotificationVerifier
    let catalog: Catalog
    /// The store's key.
    private let key: P256.Signing.PrivateKey
    let receipt: Data
    let receipts: AppReceiptVerifier
    let now = Date()

    init(_ folder: URL) throws {
        func read(_ name: String) throws -> Data { try Data(contentsOf: folder.appending(path: name)) }
        let anchors = try TrustAnchors(
            signedDataRoots: [read("jws-root.der")], receiptRoots: [read("receipt-root.der")])
        let signedData = SignedDataVerifier(anchors: anchors)
        transactions = SignedTransactionVerifier(signedData: signedData)
        notifications = NotificationVerifier(signedData: signedData)
        catalog = try JSONDecoder().decode(
            Catalog.self, from: Data(#"{"apps": [{"bundleID": "com.example.hangman", "products": []}]}"#.utf8),
            configuration: [])
        key = try P256.Signing.PrivateKey(pemRepresentation: String(decoding: read("jws/leaf.key"), as: UTF8.self))
        receipts = AppReceiptVerifier(anchors: anchors)
        transaction = try read("transaction.jws")
        header = try read("header.json")
        receipt = try read("receipt.der")
    }

    /// The transaction, if the text is accepted as one.
    func verified(_ jws: Data) -> Transaction? {
        let text = String(decoding: jws, as: UTF8.self)
        return wait { try? await transactions.verify(text, apps: Self.apps, at: now) }
    }

    /// The content of the notification, if it is one.
    func verified(notification payload: Data) -> AppStoreNotification? {
        let text = Data("\(header.base64URL).\(payload.base64URL)".utf8)
        guard let signature = try? key.signature(for: text) else { return nil }
        let jws = String(decoding: text, as: UTF8.self) + "." + signature.rawRepresentation.base64URL
        return wait { try? await notifications.verify(jws, catalog: catalog, at: now) }
    }

    /// The content of the receipt, if it is believed.
    func verified(receipt: Data) -> [Transaction]? {
        let text = receipt.base64EncodedString()
        return wait { try? await receipts.verify(text, at: now).receipt.transactions }
    }
}

extension Data {
    var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

/// libFuzzer knows no `async`.
private func wait<Value: Sendable>(_ work: @escaping @Sendable () async -> Value?) -> Value? {
    let answer = Answer<Value>()
    Task {
        let value = await work()
        answer.value.withLock { $0 = value }
        answer.isReady.signal()
    }
    answer.isReady.wait()
    return answer.value.withLock { $0 }
}

private final class Answer<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
    let isReady = DispatchSemaphore(value: 0)
}
