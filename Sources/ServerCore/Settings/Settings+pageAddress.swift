import ServerHTTP

extension Settings {
    /// The address of the pages for administrators, for a browser on this machine.
    package var pageAddress: String {
        if let address = adminPages.address { return Self.address(address.host, address.port, isSecure: false) }
        return serverAddress
    }

    /// The address of the server, for a program on this machine.
    package var serverAddress: String { Self.address(host, port, isSecure: tls != nil) }

    private static func address(_ host: String, _ port: Int, isSecure: Bool) -> String {
        // A server that listens on all addresses listens on this one, too.
        let host = ["0.0.0.0", "::"].contains(host) ? "127.0.0.1" : host
        return "\(isSecure ? "https" : "http")://\(ListenEndpoint(host: host, port: port))"
    }
}
