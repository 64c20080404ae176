import Crypto
package import Foundation
package import NIOSSL

/// The paths of the server's certificate chain and the private key of its first certificate, both PEM.
package struct TLSFiles: Sendable {
    /// A certificate chain is a few kilobytes.
    package static let maximumBytes = 1 << 20

    package let certificate: String
    package let privateKey: String

    package init(certificate: String, privateKey: String) {
        self.certificate = certificate
        self.privateKey = privateKey
    }

    /// Reads the files.
    ///
    /// - Throws: ``SettingError`` if one cannot be read.
    package func read() throws -> Contents {
        Contents(
            certificate: try Self.read(certificate, "tls.certificate"),
            privateKey: try Self.read(privateKey, "tls.privateKey"))
    }

    /// The content of the files at one moment. Never to be logged.
    package struct Contents: Sendable {
        package let certificate: Data
        package let privateKey: Data

        /// A hash of both files.
        package var revision: Data { Data(SHA256.hash(data: Data(SHA256.hash(data: certificate)) + privateKey)) }
    }

    private static func read(_ path: String, _ name: String) throws -> Data {
        let bytes: Data
        do {
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            defer { try? file.close() }
            bytes = try file.read(upToCount: maximumBytes + 1) ?? Data()
        } catch {
            throw SettingError("\(name): \(path) cannot be read: \(error.localizedDescription)")
        }
        guard bytes.count <= maximumBytes else {
            throw SettingError("\(name): \(path) is larger than \(maximumBytes) bytes")
        }
        return bytes
    }

    /// The TLS context of new connections, and the end of the validity of its chain, in seconds since the Unix epoch.
    ///
    /// - Throws: ``SettingError`` if a file is not PEM, or the key does not match the certificate.
    package func identity(_ contents: Contents) throws -> (context: NIOSSLContext, notAfter: Int) {
        let chain = try? NIOSSLCertificate.fromPEMBytes(Array(contents.certificate))
        guard let chain, !chain.isEmpty else {
            throw SettingError("tls.certificate: \(certificate) is no chain of certificates in PEM")
        }
        guard let key = try? NIOSSLPrivateKey(bytes: Array(contents.privateKey), format: .pem) else {
            throw SettingError("tls.privateKey: \(privateKey) is no private key in PEM without a passphrase")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.requireForwardSecrecy()
        configuration.applicationProtocols = ["h2", "http/1.1"]
        do {
            return (try NIOSSLContext(configuration: configuration), chain.map(\.notValidAfter).min() ?? 0)
        } catch {
            throw SettingError(
                "tls.privateKey: \(privateKey) is not the key of the first certificate in \(certificate)")
        }
    }
}
