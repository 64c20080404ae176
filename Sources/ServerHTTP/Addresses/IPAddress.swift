import Foundation
package import NIOCore

/// An IP address of either family, as an IPv6 address: an IPv4 address is the one it is mapped to (RFC 4291 §2.5.5.2),
/// so that `::ffff:192.0.2.1` and `192.0.2.1` are equal.
package struct IPAddress: Hashable, Sendable {
    package static let bits = 128
    /// The prefix length of `::ffff:0:0/96`, which IPv4 addresses are mapped to.
    static let mappedPrefix = 96
    private static let mapped: UInt128 = 0xFFFF << 32
    /// The prefix length that is counted as one IPv6 client, with 2^64 addresses: no subscriber gets less (RFC 6177,
    /// BCP 157).
    private static let subscriberPrefix = 64

    package var value: UInt128

    package init(value: UInt128) { self.value = value }

    /// The address of a socket; `nil` for a Unix domain socket.
    package init?(_ address: SocketAddress) {
        switch address {
        // Read by offset: which module the members belong to depends on the order in which files are compiled.
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
    package init?(_ text: some StringProtocol) {
        // A zone names a network interface of another machine, and NIO would ask the system for it.
        guard !text.contains("%"), let address = try? SocketAddress(ipAddress: String(text), port: 0) else {
            return nil
        }
        self.init(address)
    }

    /// The number in hexadecimal: the same string for the same address, however it was written.
    package var text: String { String(value, radix: 16) }

    var isIPv4: Bool { value >> 32 == Self.mapped >> 32 }

    /// The address that limits are counted for: an IPv4 address itself, the /64 of an IPv6 address.
    package var subscriber: IPAddress { isIPv4 ? self : network(Self.subscriberPrefix) }

    /// The address with all bits after the prefix cleared.
    func network(_ prefix: Int) -> IPAddress { IPAddress(value: value & (UInt128.max << (Self.bits - prefix))) }
}

extension IPAddress: CustomStringConvertible {
    /// The address in the form of RFC 5952, or with dots if it is an IPv4 address.
    package var description: String {
        var bytes = ByteBuffer()
        if isIPv4 { bytes.writeInteger(UInt32(truncatingIfNeeded: value)) } else { bytes.writeInteger(value) }
        return (try? SocketAddress(packedIPAddress: bytes, port: 0))?.ipAddress ?? text
    }
}
