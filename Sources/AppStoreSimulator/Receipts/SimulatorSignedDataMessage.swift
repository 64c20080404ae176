import Foundation
import SwiftASN1
import X509

/// A PKCS#7 signed-data message (RFC 5652 §5) in the form of Apple's receipts: SHA-256 with RSA, no signed attributes,
/// so that the signature is over the content itself, and the whole chain in the message.
struct SimulatorSignedDataMessage: DERSerializable {
    var content: [UInt8]
    var signature: Data
    /// The signer's certificate, whose issuer and serial number identify it.
    var signer: Certificate
    /// The certificates in DER.
    var certificates: [Data]

    func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(SignedDataOID.signedData)
            try coder.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) { coder in
                try coder.appendConstructedNode(identifier: .sequence, signedData)
            }
        }
    }

    private func signedData(_ coder: inout DER.Serializer) throws {
        try coder.serialize(1)
        try coder.appendConstructedNode(identifier: .set) { try algorithm(SignedDataOID.sha256, &$0) }
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(SignedDataOID.data)
            try coder.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) { coder in
                try coder.serialize(ASN1OctetString(contentBytes: content[...]))
            }
        }
        coder.appendConstructedNode(identifier: .init(tagWithNumber: 0, tagClass: .contextSpecific)) { coder in
            for certificate in certificates { coder.serializeRawBytes(certificate) }
        }
        try coder.appendConstructedNode(identifier: .set) { coder in
            try coder.appendConstructedNode(identifier: .sequence, signerInfo)
        }
    }

    private func signerInfo(_ coder: inout DER.Serializer) throws {
        try coder.serialize(1)
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(signer.issuer)
            try coder.serialize(ArraySlice(signer.serialNumber.bytes))
        }
        try algorithm(SignedDataOID.sha256, &coder)
        try algorithm(SignedDataOID.rsaEncryption, &coder)
        try coder.serialize(ASN1OctetString(contentBytes: ArraySlice(signature)))
    }

    private func algorithm(_ identifier: ASN1ObjectIdentifier, _ coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(identifier)
            try coder.serialize(ASN1Null())
        }
    }
}
