import SwiftASN1
import X509

/// The policy for certificate chains that sign for the App Store.
///
/// Every paid developer has certificates under the same roots: only the marker extensions distinguish the App Store's
/// own (Apple: "App Store Server Library", WWDR intermediate and receipt signing certificates).
struct AppStoreSigningPolicy: VerifierPolicy {
    static let leafMarker: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 11, 1]
    static let intermediateMarker: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 2, 1]

    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = []

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        guard chain.count == 3, let leaf = chain.first, let intermediate = chain.dropFirst().first else {
            return .failsToMeetPolicy(reason: "not leaf, intermediate and root")
        }
        guard Self.isMarked(leaf: leaf, intermediate: intermediate) else {
            return .failsToMeetPolicy(reason: "no marker of the store's signing certificates")
        }
        guard !leaf.isAuthority, !leaf.mayCertify else {
            return .failsToMeetPolicy(reason: "a signer that is an authority")
        }
        guard leaf.mayBeUsed(for: \.digitalSignature), intermediate.mayBeUsed(for: \.keyCertSign) else {
            return .failsToMeetPolicy(reason: "a key that is for other uses")
        }
        return .meetsPolicy
    }

    static func isMarked(leaf: Certificate, intermediate: Certificate) -> Bool {
        leaf.extensions[oid: leafMarker] != nil && intermediate.extensions[oid: intermediateMarker] != nil
    }
}

extension Certificate {
    /// Whether it is a CA certificate (RFC 5280 §4.2.1.9); `true` also if the extension cannot be read.
    fileprivate var isAuthority: Bool {
        guard let constraints = try? extensions.basicConstraints else {
            return extensions[oid: .X509ExtensionID.basicConstraints] != nil
        }
        if case .isCertificateAuthority = constraints { return true }
        return false
    }

    /// Whether the key may sign certificates (RFC 5280 §4.2.1.9), which only a CA may.
    fileprivate var mayCertify: Bool { (try? extensions.keyUsage)?.keyCertSign ?? false }

    /// Whether the key usage allows `use` (RFC 5280 §4.2.1.3); a certificate without the extension does not restrict
    /// its key.
    fileprivate func mayBeUsed(for use: KeyPath<KeyUsage, Bool>) -> Bool {
        guard let usage = try? extensions.keyUsage else { return extensions[oid: .X509ExtensionID.keyUsage] == nil }
        return usage[keyPath: use]
    }
}
