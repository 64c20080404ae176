import Foundation
import SwiftASN1
@_spi(FixedExpiryValidationTime) import X509

/// The markers of the store's certificates, in a chain of three.
struct StorePolicy: VerifierPolicy {
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = []

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) async -> PolicyEvaluationResult {
        let (leaf, intermediate): (ASN1ObjectIdentifier, ASN1ObjectIdentifier) = (
            [1, 2, 840, 113635, 100, 6, 11, 1], [1, 2, 840, 113635, 100, 6, 2, 1]
        )
        guard chain.count == 3, chain[0].extensions[oid: leaf] != nil, chain[1].extensions[oid: intermediate] != nil
        else { return .failsToMeetPolicy(reason: "markers") }
        return .meetsPolicy
    }

    /// Whether leaf and intermediate lead to the root, and are what the store signs with.
    static func accepts(_ certificates: [Certificate], root: [UInt8], at date: Date) async throws -> Bool {
        var verifier = Verifier(rootCertificates: CertificateStore([try Certificate(derEncoded: root)])) {
            RFC5280Policy(fixedExpiryValidationTime: date)
            StorePolicy()
        }
        let intermediates = CertificateStore([certificates[1]])
        switch await verifier.validate(leaf: certificates[0], intermediates: intermediates) {
        case .validCertificate: return true
        case .couldNotValidate: return false
        }
    }
}
