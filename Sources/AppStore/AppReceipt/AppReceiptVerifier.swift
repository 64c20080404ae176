import CryptoExtras
public import Foundation
public import InAppPurchase
public import StoreClient
import SwiftASN1
import X509

/// Verifies app receipts (PKCS#7) locally, without a request to the App Store.
///
/// A receipt states what had been bought when it was made; it does not know of later renewals and refunds, or of the
/// owner of a purchase. A value whose copies share one small cache of verified signers; safe to use from many tasks at
/// once.
///
/// Source: Apple, "Validating receipts on the device".
public struct AppReceiptVerifier: Sendable {
    let chains: SigningChainVerifier<_RSA.Signing.PublicKey>
    private let xcodeCertificates: [BundleID: Set<Data>]
    private let clock: StoreClock?

    /// Creates a verifier with an empty cache; `anchors` names the trusted roots and the certificates of Xcode, and
    /// `clock` learns the creation dates that are ahead.
    public init(anchors: TrustAnchors, clock: StoreClock? = nil) {
        self.clock = clock
        chains = SigningChainVerifier(roots: anchors.receiptRoots)
        xcodeCertificates = anchors.xcodeCertificates
    }

    /// The certificates of the signers that were verified, or expected; all are the App Store's.
    package var signers: [SignerCertificates] { chains.cache.certificates }

    /// Expects receipts of a signer that an earlier process verified, as ``SignedDataVerifier/expect(_:)`` does.
    package func expect(_ signer: SignerCertificates) { chains.expect(signer) }

    /// Verifies certificate chain and signature, and returns the facts in the receipt.
    ///
    /// The certificates must have been valid when the receipt was made: receipts stay valid for ever, their signer's
    /// certificate for two years.
    ///
    /// - Parameters:
    ///   - base64: at most ``InAppPurchase/Receipt/maximumSize`` bytes.
    ///   - device: if the client named it, the identifier that must match the receipt's hash: the 16 bytes of
    ///     `identifierForVendor`, or a Mac's primary MAC address.
    ///   - now: receipts whose creation date is in the future are not judged: the clock is wrong, whichever it is.
    ///   - claims: throws if the receipt is not accepted whoever signed it, for instance because it is for another app.
    ///     It runs before the signer's certificate chain is verified.
    /// - Throws: ``/InAppPurchase/ReceiptRejection`` with `malformed`, `chain`, `expiredCertificate`, `signature`,
    ///   `otherDevice`, `environment` for a receipt made by Xcode for an app without a certificate for that, `notFound`
    ///   for a volume purchase that has ended; ``VerifierUnavailable`` if too many receipts of unknown signers wait, or
    ///   the receipt is genuine and `now` is before it.
    public func verify(
        _ base64: String, device: Data? = nil, at now: Date,
        _ claims: (AppStoreAnswer) throws(ReceiptRejection) -> Void = { _ in }
    ) async throws -> AppStoreAnswer {
        guard base64.utf8.count <= Receipt.maximumSize, let file = Data(receiptBase64: base64) else {
            throw ReceiptRejection(.malformed, "no base64")
        }
        let message = try SignedDataMessage(berEncoded: Array(file))
        let receipt = try AppReceipt(content: message.content)
        if receipt.type == "Xcode" {
            try verifyXcodeSignature(of: message, for: receipt.bundleID)
            let answer = try checked(receipt, isForDevice: device != nil, at: now, claims)
            try receipt.check(device: device)
            try receipt.checkBegin(at: now)
            return answer
        }
        let envelope = try chains.envelope(message.envelope, at: now, certificates: message.signerCertificates)
        let signer = try chains.signer(envelope, at: receipt.creationDate, now: now)
        guard message.signer.isValidSignature(of: message.content, by: signer.key) else {
            throw ReceiptRejection(.signature, "the signature is wrong")
        }
        let answer = try checked(receipt, isForDevice: device != nil, at: now, claims)
        try await chains.verify(signer, envelope, now: now)
        // Last: only a receipt that the App Store signed is kept by the app and sent again from the right device.
        try receipt.check(device: device)
        if receipt.creationDate > now { clock?.record(signature: receipt.creationDate) }
        try receipt.checkBegin(at: now)
        return answer
    }

    private func checked(
        _ receipt: AppReceipt, isForDevice: Bool, at now: Date,
        _ claims: (AppStoreAnswer) throws(ReceiptRejection) -> Void
    ) throws(ReceiptRejection) -> AppStoreAnswer {
        if let end = receipt.expirationDate, end <= now {
            throw ReceiptRejection(.notFound, "a volume purchase that has ended")
        }
        let answer = try answer(receipt, isForDevice: isForDevice)
        try claims(answer)
        return answer
    }

    /// Xcode signs with a single certificate, which has no chain; so it must be the very one that is configured.
    private func verifyXcodeSignature(of message: SignedDataMessage, for app: BundleID) throws(ReceiptRejection) {
        guard let trusted = xcodeCertificates[app] else { throw ReceiptRejection(.environment, "made by Xcode") }
        guard message.certificates.count == 1, let der = message.certificates.first, trusted.contains(Data(der)),
            let certificate = try? Certificate(derEncoded: der), message.signer.isBy(certificate),
            let key = _RSA.Signing.PublicKey(certificate.publicKey)
        else { throw ReceiptRejection(.chain, "not the app's certificate of Xcode") }
        guard message.signer.isValidSignature(of: message.content, by: key) else {
            throw ReceiptRejection(.signature, "the signature is wrong")
        }
    }

    private func answer(_ receipt: AppReceipt, isForDevice: Bool) throws(ReceiptRejection) -> AppStoreAnswer {
        let environment = try receipt.environment
        let transactions = receipt.purchases
            .map { $0.transaction(in: receipt, of: environment).withUniqueIDs }
            .sorted { ($0.purchaseDate, $0.id) < ($1.purchaseDate, $1.id) }
        let evidence = PresentedEvidence(
            date: receipt.creationDate, transactions: Set(transactions.map(\.id)), isForDevice: isForDevice,
            deviceRemedy: .deviceIdentifier)
        return AppStoreAnswer(
            receipt: VerifiedReceipt(
                transactions: transactions, evidence: evidence, appVersion: receipt.appVersion),
            bundleID: receipt.bundleID, appAppleID: receipt.appAppleID, environment: environment, unreadableEntries: 0)
    }
}

extension AppReceipt {
    /// - Throws: ``VerifierUnavailable`` if it was made in the future.
    fileprivate func checkBegin(at now: Date) throws(VerifierUnavailable) {
        let begin = creationDate.addingTimeInterval(-SignedDataVerifier.clockSkew)
        if begin > now { throw VerifierUnavailable(until: begin) }
    }
}
