import Foundation
import NIOCore

/// An address of either family as one of IPv6: one of IPv4 is the one it is mapped to (RFC 4291 §2.5.5.2), so that
/// `::ffff:192.0.2.1` and `192.0.2.1` are the same.
struct IPAddress: Hashable, Sendable {
    static let bits = 128
    /// Of `::ffff:0:0/96`, where the addresses of IPv4 are.
    static let mappedPrefix = 96
    private static let mapped: UInt128 = 0xFFFF << 32
    /// What a subscriber of IPv6 has to choose from (RFC 6177, BCP 157): 2^64 addresses are one client.
    private static let subscriberPrefix = 64

    var value: UInt128

    init(value: UInt128) { self.value = value }

    /// Nil for a socket that is none of IP.
    init?(_ address: SocketAddress) {
        switch address {
        // By their offsets: which module their members belong to depends on the order in which files are compiled.
        case .v4(let ipv4):
            value = withUnsafeBytes(of: ipv4.address) {
                Self.mapped | UInt128(UInt32(bigEndian: $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
            }
        case .v6(let ipv6):
            value = withUnsafeBytes(of: ipv6.address) {
                UInt128(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt128.self))
            }
        case .unixDomainSocket: return nil
        }
    }

    /// Reads `192.0.2.1` or `2001:db8::1`, without zones and ports.
    init?(_ text: some StringProtocol) {
        // A zone is a name of another machine's network card, and NIO would ask the system for it.
        guard !text.contains("%"), let address = try? SocketAddress(ipAddress: String(text), port: 0) else {
            return nil
        }
        self.init(address)
    }

    /// The number in hexadecimal: the same text for the same address, however it was written.
    var text: String { String(value, radix: 16) }

    var isIPv4: Bool { value >> 32 == Self.mapped >> 32 }

    /// Whom a limit is counted for: an address of IPv4, a /64 of IPv6.
    var subscriber: IPAddress { isIPv4 ? self : network(Self.subscriberPrefix) }

    /// The address without its last bits.
    func network(_ prefix: Int) -> IPAddress { IPAddress(value: value & (UInt128.max << (Self.bits - prefix))) }
}
