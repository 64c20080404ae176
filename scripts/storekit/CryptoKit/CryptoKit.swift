public import Foundation

/// https://developer.apple.com/documentation/cryptokit/hashfunction
@available(iOS 13.0, macOS 10.15, visionOS 1.0, *)
public protocol HashFunction: Sendable {
    /// https://developer.apple.com/documentation/cryptokit/hashfunction/digest
    associatedtype Digest: CryptoKit.Digest
    /// https://developer.apple.com/documentation/cryptokit/hashfunction/init()
    init()
    /// https://developer.apple.com/documentation/cryptokit/hashfunction/update(bufferpointer:)
    mutating func update(bufferPointer: UnsafeRawBufferPointer)
    /// https://developer.apple.com/documentation/cryptokit/hashfunction/finalize()
    func finalize() -> Digest
}

@available(iOS 13.0, macOS 10.15, visionOS 1.0, *)
extension HashFunction {
    /// https://developer.apple.com/documentation/cryptokit/hashfunction/hash(data:)
    public static func hash<Bytes: DataProtocol>(data: Bytes) -> Digest { fatalError() }
    /// https://developer.apple.com/documentation/cryptokit/hashfunction/update(data:)
    public mutating func update<Bytes: DataProtocol>(data: Bytes) { fatalError() }
}

/// https://developer.apple.com/documentation/cryptokit/digest
@available(iOS 13.0, macOS 10.15, visionOS 1.0, *)
public protocol Digest: Sequence, Hashable, Sendable where Element == UInt8 {}

/// https://developer.apple.com/documentation/cryptokit/sha256digest
@available(iOS 13.0, macOS 10.15, visionOS 1.0, *)
public struct SHA256Digest: Digest {
    public func makeIterator() -> Array<UInt8>.Iterator { fatalError() }
}

/// https://developer.apple.com/documentation/cryptokit/sha256
@available(iOS 13.0, macOS 10.15, visionOS 1.0, *)
public struct SHA256: HashFunction {
    /// https://developer.apple.com/documentation/cryptokit/sha256/init()
    public init() { fatalError() }
    /// https://developer.apple.com/documentation/cryptokit/sha256/update(bufferpointer:)
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) { fatalError() }
    /// https://developer.apple.com/documentation/cryptokit/sha256/finalize()
    public func finalize() -> SHA256Digest { fatalError() }
}

/// https://developer.apple.com/documentation/cryptokit/curve25519
@available(iOS 13.0, macOS 10.15, visionOS 1.0, *)
public enum Curve25519 {
    /// https://developer.apple.com/documentation/cryptokit/curve25519/signing
    public enum Signing {
        /// https://developer.apple.com/documentation/cryptokit/curve25519/signing/publickey
        public struct PublicKey: Sendable {
            /// https://developer.apple.com/documentation/cryptokit/curve25519/signing/publickey/init(rawrepresentation:)
            public init<Bytes: ContiguousBytes>(rawRepresentation: Bytes) throws { fatalError() }
            /// https://developer.apple.com/documentation/cryptokit/curve25519/signing/publickey/isvalidsignature(_:for:)
            public func isValidSignature<Signature: DataProtocol, Bytes: DataProtocol>(
                _ signature: Signature, for data: Bytes
            ) -> Bool { fatalError() }
        }
    }
}
