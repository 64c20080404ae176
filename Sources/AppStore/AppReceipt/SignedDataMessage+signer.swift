import Foundation
import InAppPurchase
import SwiftASN1
import X509

extension SignedDataMessage {
    /// The certificates and the signer's identifier as received: the same bytes in all messages of one signer.
    var envelope: Data {
        certificates.reduce(into: Data(signer.encodedCertificateID)) { $0 += $1 }
    }

    /// Picks the signer's certificate and its issuer's from those of the message, whose order has no meaning.
    ///
    /// - Throws: `chain`
    func signerCertificates() throws(ReceiptRejection) -> SignerCertificates {
        let certificates = certificates.compactMap { der in
            (try? Certificate(derEncoded: der)).map { (der: Data(der), certificate: $0) }
        }
        guard let leaf = certificates.first(where: { signer.isBy($0.certificate) }),
            let intermediate = certificates.first(where: { $0.certificate.subject == leaf.certificate.issuer })
        else { throw ReceiptRejection(.chain, "the signer's certificates are not in the receipt") }
        return SignerCertificates(leaf: leaf.der, intermediate: intermediate.der)
    }
}
