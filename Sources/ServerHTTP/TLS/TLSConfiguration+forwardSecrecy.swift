package import NIOSSL

extension TLSConfiguration {
    /// The cipher suites of TLS 1.2: those with forward secrecy and authenticated encryption (RFC 9325 §4.2). Those of
    /// TLS 1.3 all have both, and are not configured.
    private static let suites: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    /// Limits connections to TLS 1.3, and to TLS 1.2 with forward secrecy and authenticated encryption. Older versions
    /// are broken (RFC 8996).
    package mutating func requireForwardSecrecy() {
        minimumTLSVersion = .tlsv12
        cipherSuiteValues = Self.suites
    }
}
