/// A host and a port to listen on, written `127.0.0.1:9464` or `[::1]:9464`.
package struct ListenAddress: Hashable, Sendable {
    package let host: String
    package let port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads an address; `nil` if the host is missing, an IPv6 address has no brackets, or the port is invalid.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        let host = text[..<colon]
        let isBracketed = host.first == "[" && host.last == "]" && host.count > 2
        guard HostField.isValid(host), isBracketed == host.contains(":") else { return nil }
        self.host = isBracketed ? String(host.dropFirst().dropLast()) : String(host)
        self.port = Int(port)
    }
}
