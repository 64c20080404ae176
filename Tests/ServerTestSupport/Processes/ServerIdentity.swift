package import AsyncHTTPClient
import Crypto
import CryptoExtras
package import Foundation
package import NIOSSL
import SwiftASN1
import X509

/// A certificate for `localhost`, its key and the authority above it, made for one test.
package struct ServerIdentity: Sendable {
    /// The authority that a client has to trust.
    package let root: NIOSSLCertificate
    /// PEM: the server's own, then that of its signer.
    package let chain: String
    package let key: String
    /// The end of its validity, in seconds since the Unix epoch: that of its signer, which ends first.
    package let notAfter: Int

    /// - Parameters:
    ///   - isRSA: whether the server's key is an RSA key, which a key exchange without forward secrecy needs.
    ///   - days: how long it is valid.
    package init(isRSA: Bool = false, days: Int = 1) throws {
        let now = Date()
        let end = Int(now.timeIntervalSince1970) + days * 86_400
        notAfter = end
        var keys = (0..<3).map { _ in Certificate.PrivateKey(P256.Signing.PrivateKey()) }
        if isRSA { keys[2] = .init(try _RSA.Signing.PrivateKey(keySize: .bits2048)) }
        let names = ["Root", "Intermediate", "localhost"]
        let certificates = try zip(keys, names).enumerated().map { place, pair in
            let issuer = max(0, place - 1)
            return try Certificate(
                version: .v3, serialNumber: .init(), publicKey: pair.0.publicKey, notValidBefore: now - 3_600,
                notValidAfter: Date(timeIntervalSince1970: Double(place == 1 ? end : end + 60)),
                issuer: DistinguishedName { CommonName(names[issuer]) },
                subject: DistinguishedName { CommonName(pair.1) }, signatureAlgorithm: .ecdsaWithSHA256,
                extensions: Certificate.Extensions {
                    if place < 2 {
                        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                    } else {
                        SubjectAlternativeNames([.dnsName("localhost")])
                    }
                },
                issuerPrivateKey: keys[issuer])
        }
        root = try NIOSSLCertificate(bytes: Array(certificates[0].serializeAsPEM().pemString.utf8), format: .pem)
        chain = try certificates[1...].reversed().map { try $0.serializeAsPEM().pemString }.joined(separator: "\n")
        key = try keys[2].serializeAsPEM().pemString
    }

    /// Writes both files, and tells a server of them.
    ///
    /// - Returns: variables of its environment.
    package func write(to folder: URL) throws -> [String: String] {
        let files = (folder.appending(path: "chain.pem"), folder.appending(path: "key.pem"))
        try chain.write(to: files.0, atomically: true, encoding: .utf8)
        try key.write(to: files.1, atomically: true, encoding: .utf8)
        return ["QUARTERMASTER_TLS_CERTIFICATE": files.0.path, "QUARTERMASTER_TLS_PRIVATE_KEY": files.1.path]
    }

    /// The context with which a client that trusts it connects.
    ///
    /// - Parameter suites: its cipher suites of TLS 1.2, by OpenSSL's names; without them, NIOSSL's.
    package func client(
        _ protocols: [String] = [], upTo version: TLSVersion? = nil, suites: String? = nil
    ) throws -> NIOSSLContext {
        var configuration = clientConfiguration
        if let suites { configuration.cipherSuites = suites }
        configuration.applicationProtocols = protocols
        if version != nil { configuration.minimumTLSVersion = .tlsv1 }
        configuration.maximumTLSVersion = version
        return try NIOSSLContext(configuration: configuration)
    }

    private var clientConfiguration: TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates([root])
        return configuration
    }

    package func withClient<Result>(
        _ version: HTTPClient.Configuration.HTTPVersion = .automatic, _ body: (HTTPClient) async throws -> Result
    ) async throws -> Result {
        var configuration = HTTPClient.Configuration(tlsConfiguration: clientConfiguration)
        configuration.httpVersion = version
        let client = HTTPClient(configuration: configuration)
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body(client)) } catch { result = .failure(error) }
        try await client.shutdown()
        return try result.get()
    }
}

/// An empty folder for as long as a test needs it.
package func withFolder<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: (URL) async throws -> Result
) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "qm-folder-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}
