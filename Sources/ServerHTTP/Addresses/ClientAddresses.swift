import Basics
import HTTPTypes
package import Hummingbird
package import NIOCore

/// Finds the client's address: that of the connection's peer or, if the peer is a trusted proxy, the address that the
/// proxy reports.
///
/// Every proxy appends the address of its caller to `X-Forwarded-For`, so only entries written by trusted proxies
/// count; the rest is the client's own claim. `Forwarded` (RFC 7239) is not read: a proxy that writes one of the two
/// headers passes on the other unchanged.
package struct ClientAddresses: Sendable {
    /// The addresses of the operator's proxies.
    package let trusted: [IPRange]

    package init(trusted: [IPRange]) {
        self.trusted = trusted
    }

    /// The address of the request's client; `nil` if the connection has no IP address.
    package func client(_ request: Request, _ context: ServerContext) -> IPAddress? {
        guard let peer = context.channel.peer else { return nil }
        // Every request asks; most have no proxy that is trusted.
        guard isTrusted(peer) else { return peer }
        return client(of: peer, forwardedFor: request.headers[values: .forwardedFor])
    }

    /// The address that limits are counted for; `nil` if the connection has no IP address.
    package func subscriber(_ request: Request, _ context: ServerContext) -> IPAddress? {
        client(request, context)?.subscriber
    }

    /// The address that limits of a whole connection are counted for; `nil` if the connection is a trusted proxy's,
    /// which brings the requests of many clients, or has no IP address.
    package func subscriber(of channel: any Channel) -> IPAddress? {
        channel.peer.flatMap { isTrusted($0) ? nil : $0.subscriber }
    }

    /// The first address that is not a trusted proxy's, beginning with the nearest.
    ///
    /// - Parameter lines: the values of `X-Forwarded-For`, in order. An entry that is no address ends the search: the
    ///   proxy that wrote it is the client then.
    package func client(of peer: IPAddress, forwardedFor lines: [String]) -> IPAddress {
        var client = peer
        for entry in lines.joined(separator: ",").split(separator: ",", omittingEmptySubsequences: false).reversed() {
            guard isTrusted(client), let address = IPAddress(forwarded: entry) else { break }
            client = address
        }
        return client
    }

    func isTrusted(_ address: IPAddress) -> Bool { trusted.contains { $0.contains(address) } }
}

extension Channel {
    fileprivate var peer: IPAddress? { remoteAddress.flatMap { IPAddress($0) } }
}

extension IPAddress {
    /// Reads an entry as proxies write it: an address, optionally with a port; an IPv6 address with a port is in
    /// brackets.
    fileprivate init?(forwarded entry: Substring) {
        let text = entry.trimmingOptionalWhitespace
        if let address = IPAddress(text) {
            self = address
            return
        }
        let isBracketed = text.first == "["
        guard let end = text.lastIndex(of: isBracketed ? "]" : ":") else { return nil }
        let host = text[..<end].dropFirst(isBracketed ? 1 : 0)
        let port = text[end...].dropFirst(isBracketed ? 1 : 0)
        guard port.isPortOrNothing, host.contains(":") == isBracketed else { return nil }
        self.init(host)
    }
}

extension Substring {
    /// `:443`, or nothing.
    fileprivate var isPortOrNothing: Bool { isEmpty || first == ":" && UInt16(dropFirst()) != nil }
}

extension HTTPField.Name {
    static let forwardedFor = Self("X-Forwarded-For")!
}

/// Addresses with a common prefix, written as in RFC 4632 §3.1 and RFC 4291 §2.3 (`10.0.0.0/8`, `fd00::/8`), or a
/// single address.
package struct IPRange: Hashable, Sendable {
    private let network: IPAddress
    private let prefix: Int

    /// Reads a range; `nil` if the text is none, or if bits are set after the prefix, since one of the two is a mistake
    /// then.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(first) else { return nil }
        let isWrittenAsIPv4 = !first.contains(":")
        let bits = isWrittenAsIPv4 ? IPAddress.bits - IPAddress.mappedPrefix : IPAddress.bits
        guard let length = parts.count == 1 ? bits : Self.decimal(parts[1]), length <= bits else { return nil }
        network = address
        prefix = length + IPAddress.bits - bits
        guard address.network(prefix) == address else { return nil }
    }

    package func contains(_ address: IPAddress) -> Bool { address.network(prefix) == network }

    private static func decimal(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? Int(text) : nil
    }
}
