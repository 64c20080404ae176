import NIOCore

/// What the store may be called by: loopback, the addresses of this machine, and names that its operator gave.
struct OwnHosts: Sendable {
    private let names: Set<String>

    /// - Parameter names: of hosts, without ports; upper and lower case are the same.
    init(_ names: Set<String>) { self.names = Set(names.map { $0.lowercased() }) }

    /// - Parameter authority: the value of `Host` (RFC 9110 §7.2), in lower case: a name or an address, and maybe a port.
    func contains(authority: String) -> Bool {
        guard let host = Self.host(of: authority) else { return false }
        // RFC 6761 §6.3: these names are always this machine.
        if host == "localhost" || host.hasSuffix(".localhost") || names.contains(host) { return true }
        guard let address = try? SocketAddress(ipAddress: host, port: 0) else { return false }
        return address.isLoopback || Self.isThisMachines(address)
    }

    /// Without the port and an IPv6 address's brackets; nil where it is not written so.
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

    /// Asked anew each time: a laptop changes its address.
    private static func isThisMachines(_ address: SocketAddress) -> Bool {
        let devices = (try? System.enumerateDevices()) ?? []
        return devices.contains { $0.address?.ipAddress == address.ipAddress }
    }
}

extension SocketAddress {
    /// `127.0.0.0/8`, also as IPv6 has it, and `::1` (RFC 6890 §2.2), in the form that the system writes.
    fileprivate var isLoopback: Bool {
        guard let text = ipAddress else { return false }
        return text == "::1" || text.hasPrefix("127.") || text.hasPrefix("::ffff:127.")
    }
}
