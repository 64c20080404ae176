import SwiftASN1
import X509

/// The requirements of RFC 5280 for issuers of certificates, as `openssl verify -x509_strict` checks them, which
/// Apple's libraries use.
///
/// Key identifiers and usages may be missing, and basic constraints of a CA need not be critical, as in the
/// certificates of Apple's own tests; but what is present must be consistent.
struct CertificateProfile: VerifierPolicy {
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = []

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        guard chain.allSatisfy({ !$0.issuer.isEmpty && !$0.subject.isEmpty && $0.version == .v3 }) else {
            return .failsToMeetPolicy(reason: "a certificate without names, or of an old version")
        }
        guard chain.dropFirst().allSatisfy(\.isProperAuthority) else {
            return .failsToMeetPolicy(reason: "an authority that does not say so as it must")
        }
        guard zip(chain, chain.dropFirst()).allSatisfy({ $0.names(issuer: $1) }) else {
            return .failsToMeetPolicy(reason: "a certificate that does not identify its issuer's key")
        }
        return .meetsPolicy
    }
}

extension Certificate {
    /// Whether it is a CA certificate: with basic constraints, and a key that may sign certificates (RFC 5280 §4.2.1.3,
    /// §4.2.1.9).
    fileprivate var isProperAuthority: Bool {
        guard case .isCertificateAuthority? = try? extensions.basicConstraints else { return false }
        guard let usage = try? extensions.keyUsage else { return extensions[oid: .X509ExtensionID.keyUsage] == nil }
        return usage.keyCertSign
    }

    private var keyIdentifier: ArraySlice<UInt8>? { (try? extensions.subjectKeyIdentifier)?.keyIdentifier }

    /// Whether it identifies the issuer's key (RFC 5280 §4.2.1.1): by key identifier, and by serial number and issuer
    /// if they are present.
    fileprivate func names(issuer: Certificate) -> Bool {
        guard let authority = try? extensions.authorityKeyIdentifier else {
            return extensions[oid: .X509ExtensionID.authorityKeyIdentifier] == nil
        }
        let keys = [authority.keyIdentifier, issuer.keyIdentifier].compactMap { $0 }
        guard keys.allSatisfy({ $0 == keys.first }),
            authority.authorityCertSerialNumber ?? issuer.serialNumber == issuer.serialNumber
        else { return false }
        return authority.authorityCertIssuer?.contains(.directoryName(issuer.issuer)) ?? true
    }
}
