import Foundation

@testable import QuartermasterClient

#if canImport(CryptoKit)
    import CryptoKit
#else
    import Crypto
#endif

/// A key of the test's own, which may pass itself off as the server's.
struct TestSigner: Sendable {
    let secret = Curve25519.Signing.PrivateKey()

    /// The public key in base64url.
    var x: String { secret.publicKey.rawRepresentation.base64URL }

    var id: String { Data(SHA256.hash(data: Data(#"{"crv":"Ed25519","kty":"OKP","x":"\#(x)"}"#.utf8))).base64URL }

    /// An answer to `GET /v1/keys` with this key alone.
    var keys: Data {
        Data(#"{"keys":[{"kty":"OKP","crv":"Ed25519","x":"\#(x)","kid":"\#(id)","purpose":"manifests"}]}"#.utf8)
    }

    func sign(_ payload: String, type: String, header: String = #""alg":"EdDSA""#) -> String {
        let head = #"{\#(header),"kid":"\#(id)","typ":"\#(type)"}"#
        let input = Data(head.utf8).base64URL + "." + Data(payload.utf8).base64URL
        let signature = (try? secret.signature(for: Data(input.utf8))) ?? Data()
        return input + "." + signature.base64URL
    }

    /// The answer to `GET /v1/keys` in which this key, as a root, vouches for others.
    func vouching(for signers: [TestSigner], version: Int, until end: Date) -> Data {
        let keys = signers.map { #"{"kid":"\#($0.id)","signsFrom":"2026-01-01T00:00:00Z","x":"\#($0.x)"}"# }
        let list =
            #"{"at":"2026-01-01T00:00:00Z","expires":"\#(end.formatted(.iso8601))","keys":["#
            + keys.joined(separator: ",") + #"],"version":\#(version)}"#
        let signature = sign(list, type: "quartermaster-keys+jwt")
        return Data(#"{"keys":[],"rootSignature":"\#(signature)","version":\#(version)}"#.utf8)
    }
}
