import AsyncHTTPClient
import NIOSSL
import Testing

@testable import AppStoreService

@Suite struct StoreConnectionTests {
    /// The suites are those of the context that a connection has, not those of a list.
    @Test func `The App Store is asked by connections with forward secrecy and authenticated encryption`() throws {
        let tls = try #require(HTTPClientService.configuration.tlsConfiguration)
        #expect(tls.minimumTLSVersion == .tlsv12 && tls.certificateVerification == .fullVerification)
        let expected: Set<UInt16> = [0xC02B, 0xC02C, 0xC02F, 0xC030, 0xCCA8, 0xCCA9]
        #expect(Set(tls.cipherSuiteValues.map(\.rawValue)) == expected)
    }
}
