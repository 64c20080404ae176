import SwiftASN1

/// The extensions that distinguish the App Store's signing certificates from all others under Apple's roots.
///
/// Source: Apple, "Validating receipts on the device" and "JWSDecodedHeader".
enum MarkerOID {
    /// The marker of the intermediate (Worldwide Developer Relations).
    static let intermediate: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 1]
    /// The marker of the leaf that signs receipts and transactions.
    static let leaf: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 11, 1]
    /// The value of both: ASN.1 NULL.
    static let value: ArraySlice<UInt8> = [5, 0]
}
