package import AppStore
import Crypto
import Foundation
import InAppPurchase
import Ledger
import Logging
import ServerCore
import ServerHTTP
import StoreClient

/// Receipts of the App Store: recognized, verified, and asked about.
extension AppStoreServices {
    var maximumReceiptSize: Int { Receipt.maximumSize }

    func unwrapped(_ text: String) -> String { Receipt.plain(Receipt.unwrapped(text)) }

    func recognize(_ content: String) -> RecognizedReceipt? {
        guard let kind = Receipt.Kind(of: content) else { return nil }
        let digests = Receipt.Digests(of: content, kind)
        return RecognizedReceipt(kind: kind, digest: digests.digest, textDigest: digests.text)
    }

    func isTransactionID(_ text: String) -> Bool { Receipt.Kind(of: text) == .transactionID }

    func proof(by kind: Receipt.Kind) -> ReceiptProof {
        switch kind {
        case .signedTransaction: .transaction
        case .appReceipt: verifier.verifiesAppReceipts ? .snapshot : .provisional
        case .transactionReceipt, .transactionID: .nothing
        }
    }

    /// Plans how a receipt is verified. A transaction ID can only be asked about with a key. A receipt that cannot be
    /// decoded is rejected without asking the App Store; so is an app receipt of another device than the request names,
    /// which the App Store would not notice.
    func plan(
        for receipt: Receipt, from device: SendingDevice, in context: RecordingContext
    ) async throws -> ReceiptPlan {
        switch proof(by: receipt.kind) {
        case .transaction, .snapshot: return .verify(receipt)
        case .nothing, .provisional: break
        }
        var receipt = receipt
        guard receipt.kind != .transactionID else {
            guard let app = receipt.bundleID ?? context.catalog.onlyApp, await keys.key(for: app) != nil else {
                return .reject(receipt, ReceiptRejection(.unsupported, "no key for the store's API"))
            }
            receipt.app = context.catalog.servedApp(app)
            return .ask(receipt)
        }
        do throws(ReceiptRejection) {
            let named = try UnverifiedReceipt(base64: receipt.content, kind: receipt.kind).bundleID
            receipt.app = context.catalog.servedApp(named ?? receipt.bundleID)
        } catch {
            return .reject(receipt, error)
        }
        if receipt.kind == .appReceipt, device.identifier != nil {
            do {
                receipt.isForDevice =
                    try await verify(receipt, for: device, in: context).get().evidence?.isForDevice ?? false
            } catch let rejection as ReceiptRejection {
                guard rejection.reason != .otherDevice else { return .reject(receipt, rejection) }
            } catch let error as VerificationUnavailable {
                // The App Store's clock is right.
                guard error.clockTrouble != nil else { throw error }
            }
        }
        return .ask(receipt)
    }

    func verify(
        _ receipt: Receipt, for device: SendingDevice, in context: RecordingContext
    ) async throws -> Result<VerifiedReceipt, ReceiptRejection> {
        do {
            return try await verifier.result(on: receipt, for: device, in: context)
        } catch let error as VerifierUnavailable {
            throw VerificationUnavailable(error)
        }
    }

    func isStale(_ transaction: Transaction, at now: Date) async -> Bool { await queries.isStale(transaction, at: now) }

    func canAsk(about verified: VerifiedReceipt) async -> Bool { await queries.canAsk(about: verified) }

    func ask(
        about receipt: Receipt, within time: Duration, in context: RecordingContext
    ) async -> VerificationResult<VerifiedReceipt> {
        let asked = ContinuousClock.now
        let result = await queries.result(
            on: receipt, of: receipt.bundleID ?? context.catalog.onlyApp, within: time, in: context)
        measure(result, since: asked)
        guard case .verified(let answer) = result else { return result.map(\.receipt) }
        reportUnreadable(answer, receipt)
        do throws(ReceiptRejection) {
            try answer.check(against: decisions.context.catalog, expecting: receipt.bundleID)
            return .verified(answer.receipt)
        } catch {
            return .rejected(error)
        }
    }

    func refunds(of transaction: Transaction, within time: Duration, at now: Date) async -> [Transaction] {
        await queries.refunds(of: transaction, within: time, at: now)
    }

    func facts(
        about verified: VerifiedReceipt, of receipt: Receipt, within time: Duration, at now: Date
    ) async -> StoreFacts {
        let asked = ContinuousClock.now
        let facts = await queries.facts(about: verified, of: receipt, within: time, at: now)
        measure(facts.result, since: asked)
        if case .verified(let answer) = facts.result { reportUnreadable(answer, receipt) }
        if let partial = facts.partial { reportUnreadable(partial, receipt) }
        return StoreFacts(result: facts.result.map(\.receipt), partial: facts.partial?.receipt)
    }

    func ask(about notification: AppStoreNotification, within time: Duration, at now: Date) async -> VerificationResult<
        VerifiedReceipt
    > { await queries.result(on: notification, within: time, at: now) }

    /// Requests with a refused key are measured one by one, whoever asks.
    private func measure(_ result: VerificationResult<AppStoreAnswer>, since asked: ContinuousClock.Instant) {
        if case .unavailable(let trouble) = result, trouble.credential == .serverAPIKey { return }
        metrics.asked(result, took: .now - asked)
    }

    private func reportUnreadable(_ answer: AppStoreAnswer, _ receipt: Receipt) {
        guard answer.unreadableEntries > 0 else { return }
        logger.error(
            "the App Store's response has entries that cannot be decoded",
            metadata: ["receipt": "\(receipt.id)", "entries": "\(answer.unreadableEntries)"])
    }
}

extension VerificationUnavailable {
    package init(_ error: VerifierUnavailable) {
        self.init(
            clockTrouble: error.date.map {
                Unavailability(.clock, "signed later than this machine's clock says", retryDate: $0)
            })
    }
}

extension Catalog {
    /// The app that every receipt must be of, if only one is served; otherwise `nil`.
    fileprivate var onlyApp: BundleID? { apps.count == 1 ? apps.first?.bundleID : nil }

    /// The app, if it is served: invented names do not add to the number of apps.
    fileprivate func servedApp(_ named: BundleID?) -> BundleID? { named.flatMap { app($0)?.bundleID } }
}

extension Receipt {
    /// The SHA-256 hashes by which a receipt that is sent again is recognized.
    struct Digests {
        /// See ``/InAppPurchase/Receipt/digest``.
        let digest: Data
        /// See ``/InAppPurchase/Receipt/textDigest``.
        let text: Data?

        /// Line breaks, and bits after the last byte, make no difference in base64.
        init(of content: String, _ kind: Kind) {
            let text = Data(SHA256.hash(data: Data(content.utf8)))
            let bytes = kind.bytes(of: content)
            digest = bytes.map { Data(SHA256.hash(data: $0)) } ?? text
            self.text = bytes == nil ? nil : text
        }
    }
}

extension Receipt.Kind {
    /// The bytes that the content encodes in base64; `nil` if it stands for itself.
    fileprivate func bytes(of content: String) -> Data? {
        guard self == .appReceipt || self == .transactionReceipt, let bytes = Data(receiptBase64: content) else {
            return nil
        }
        // Bytes that are the text of another receipt, such as a transaction ID, must not have its digest.
        if let text = String(validating: bytes, as: UTF8.self), Receipt.Kind(of: text) != nil { return nil }
        return bytes
    }
}
