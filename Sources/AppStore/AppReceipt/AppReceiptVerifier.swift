import CryptoExtras
public import Foundation
public import InAppPurchase
import SwiftASN1
import X509

/// Turns app receipts (PKCS#7) into facts of the domain, without asking the store.
///
/// A receipt tells what had been bought when it was made: later renewals, refunds, and to whom a purchase belongs, it
/// does not know. A value that shares one small cache of verified signers among its copies; safe to use from many
/// tasks at once.
///
/// Source: Apple, "Validating receipts on the device".
public struct AppReceiptVerifier: Sendable {
    private let chains: SigningChainVerifier<_RSA.Signing.PublicKey>
    private let xcodeCertificates: [BundleID: Set<Data>]

    public init(anchors: TrustAnchors) {
        chains = SigningChainVerifier(roots: anchors.receiptRoots)
        xcodeCertificates = anchors.xcodeCertificates
    }

    /// What the receipt says, once chain and signature are verified.
    ///
    /// The certificates must have been valid when the receipt was made: receipts stay good for ever, their signer's
    /// certificate for two years.
    ///
    /// - Parameters:
    ///   - base64: at most ``InAppPurchase/Receipt/maximumSize`` bytes.
    ///   - device: where the client named it, the identifier that must fit the receipt's hash: the 16 bytes of
    ///     `identifierForVendor`, or a Mac's primary MAC address.
    ///   - now: to refuse what claims to be made in the future.
    ///   - claims: throws where the receipt is not wanted whoever signed it, such as for another app. It runs before the
    ///     signer is known to be the store.
    /// - Throws: ``/InAppPurchase/ReceiptRejection`` with `malformed`, `chain`, `expiredCertificate`, `signature`,
    ///   `otherDevice`, `environment` for what Xcode made for an app without a certificate for that, `notFound`
    ///   for a volume purchase that has ended; ``VerifierUnavailable`` where too many strangers' receipts wait.
    public func verify(
        _ base64: String, device: Data? = nil, at now: Date,
        _ claims: (AppStoreAnswer) throws(ReceiptRejection) -> Void = { _ in }
    ) async throws -> AppStoreAnswer {
        guard base64.utf8.count <= Receipt.maximumSize, let file = Data(receiptBase64: base64) else {
            throw ReceiptRejection(.malformed, "no base64")
        }
        let message = try SignedDataMessage(berEncoded: Array(file))
        let receipt = try AppReceipt(content: message.content)
        guard receipt.creationDate <= now.addingTimeInterval(SignedDataVerifier.clockSkew) else {
            throw ReceiptRejection(.malformed, "made in the future")
        }
        if receipt.type == "Xcode" {
            try verifyXcodeSignature(of: message, for: receipt.bundleID)
            let answer = try checked(receipt, isForDevice: device != nil, at: now, claims)
            try receipt.check(device: device)
            return answer
        }
        let envelope = try chains.envelope(message.envelope, at: now, certificates: message.signerCertificates)
        let signer = try chains.signer(envelope, at: receipt.creationDate, now: now)
        guard message.signer.isValidSignature(of: message.content, by: signer.key) else {
            throw ReceiptRejection(.signature, "the signature is wrong")
        }
        let answer = try checked(receipt, isForDevice: device != nil, at: now, claims)
        try await chains.verify(signer, envelope, now: now)
        // Last: only what the store signed is kept by the app and sent again from the right device.
        try receipt.check(device: device)
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

    /// What signs is one certificate, which vouches for no other; so it must be the very one that is configured.
    private func verifyXcodeSignature(
        of message: SignedDataMessage, for app: BundleID
    ) throws(ReceiptRejection) {
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
            .map { $0.transaction(of: receipt.bundleID, in: environment, stated: receipt.creationDate) }
            .sorted { ($0.purchaseDate, $0.id) < ($1.purchaseDate, $1.id) }
        let evidence = PresentedEvidence(
            date: receipt.creationDate, transactions: Set(transactions.map(\.id)), isForDevice: isForDevice,
            deviceRemedy: .deviceIdentifier)
        return AppStoreAnswer(
            receipt: VerifiedReceipt(transactions: transactions, evidence: evidence), bundleID: receipt.bundleID,
            appAppleID: receipt.appAppleID, environment: environment, unreadableEntries: 0)
    }
}
