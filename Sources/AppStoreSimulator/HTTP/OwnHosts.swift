import NIOCore

/// The host names of this server: loopback, the addresses of this machine, and names that its operator gave.
struct OwnHosts: Sendable {
    private let names: Set<String>

    /// - Parameter names: host names without ports; case-insensitive.
    init(_ names: Set<String>) { self.names = Set(names.map { $0.lowercased() }) }

    /// - Parameter authority: the value of `Host` (RFC 9110 §7.2), in lower case: a name or an address, and possibly a
    ///   port.
    func contains(authority: String) -> Bool {
        guard let host = Self.host(of: authority) else { return false }
        // RFC 6761 §6.3: these names are always this machine.
        if host == "localhost" || host.hasSuffix(".localhost") || names.contains(host) { return true }
        guard let address = try? SocketAddress(ipAddress: host, port: 0) else { return false }
        return address.isLoopback || Self.isThisMachines(address)
    }

    /// The host without port and an IPv6 address's brackets; `nil` if the authority is malformed.
    private static func host(of authority: String) -> String? {
        let isBracketed = authority.first == "["
        guard isBracketed || authority.contains(":") else { return authority.isEmpty ? nil : authority }
        guard let end = authority.lastIndex(of: isBracketed ? "]" : ":") else { return nil }
        let host = authority[..<end].dropFirst(isBracketed ? 1 : 0)
        let port = authority[end...].dropFirst(isBracketed ? 1 : 0)
        guard !host.isEmpty, host.contains(":") == isBracketed, port.isEmpty || UInt16(port.dropFirst()) != nil else {
            return nil
        }
        return String(host)
    }

    /// Whether this machine has the address. Looked up each time: a laptop changes its address.
    private static func isThisMachines(_ address: SocketAddress) -> Bool {
        let devices = (try? System.enumerateDevices()) ?? []
        return devices.contains { $0.address?.ipAddress == address.ipAddress }
    }
}

extension SocketAddress {
    /// Whether it is in `127.0.0.0/8`, also IPv4-mapped, or `::1` (RFC 6890 §2.2), in the form that the system writes.
    fileprivate var isLoopback: Bool {
        guard let text = ipAddress else { return false }
        return text == "::1" || text.hasPrefix("127.") || text.hasPrefix("::ffff:127.")
    }
}
