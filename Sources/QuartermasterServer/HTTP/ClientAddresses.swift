import HTTPTypes
import Hummingbird
import NIOCore

/// Tells from where a request comes: from the peer of its connection, or, where that is a proxy of ours, from whom the
/// proxy says.
///
/// Every proxy appends to `X-Forwarded-For` whom it was called by, so only what trusted ones wrote counts; the rest is
/// what a client likes to say. `Forwarded` (RFC 7239) is not read: a proxy that writes the one header passes on the
/// other as it came.
struct ClientAddresses: Sendable {
    /// Where the operator's proxies are.
    let trusted: [IPRange]

    /// Whom a limit is counted for; nil where the connection has no address.
    func subscriber(_ request: Request, _ context: ServerContext) -> IPAddress? {
        guard let peer = context.channel.remoteAddress.flatMap({ IPAddress($0) }) else { return nil }
        return client(of: peer, forwardedFor: request.headers[values: .forwardedFor]).subscriber
    }

    /// The first address that is not a proxy's, from the nearest on.
    ///
    /// - Parameter lines: of `X-Forwarded-For`, in their order. What is no address in them ends the search: the proxy
    ///   that wrote it is the client then.
    func client(of peer: IPAddress, forwardedFor lines: [String]) -> IPAddress {
        var client = peer
        for entry in lines.joined(separator: ",").split(separator: ",", omittingEmptySubsequences: false).reversed() {
            guard isTrusted(client), let address = IPAddress(forwarded: entry) else { break }
            client = address
        }
        return client
    }

    func isTrusted(_ address: IPAddress) -> Bool { trusted.contains { $0.contains(address) } }
}

extension IPAddress {
    /// An entry as proxies write it: an address, also with a port; then one of IPv6 stands in brackets.
    fileprivate init?(forwarded entry: Substring) {
        let text = entry.trimmingWhitespace
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
    fileprivate var trimmingWhitespace: Substring {
        var rest = drop { $0 == " " || $0 == "\t" }
        while rest.last == " " || rest.last == "\t" { rest.removeLast() }
        return rest
    }

    /// `:443`, or the end.
    fileprivate var isPortOrNothing: Bool { isEmpty || first == ":" && UInt16(dropFirst()) != nil }
}

extension HTTPField.Name {
    static let forwardedFor = Self("X-Forwarded-For")!
}
