import SwiftASN1
import X509

/// What RFC 5280 asks of those who issue certificates, beyond what it asks of those who verify them, as
/// `openssl verify -x509_strict` has it, which Apple's libraries ask for.
///
/// Key identifiers and usages may be missing, and an authority's constraints not be critical, as in the certificates
/// that Apple's own tests sign with; what stands there fits.
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
    /// RFC 5280 §4.2.1.3, §4.2.1.9: an authority has basic constraints, and a key that may certify.
    fileprivate var isProperAuthority: Bool {
        guard case .isCertificateAuthority? = try? extensions.basicConstraints else { return false }
        guard let usage = try? extensions.keyUsage else { return extensions[oid: .X509ExtensionID.keyUsage] == nil }
        return usage.keyCertSign
    }

    private var keyIdentifier: ArraySlice<UInt8>? { (try? extensions.subjectKeyIdentifier)?.keyIdentifier }

    /// RFC 5280 §4.2.1.1: by the key's identifier, and where its certificate's number or issuer stand there, by them.
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
