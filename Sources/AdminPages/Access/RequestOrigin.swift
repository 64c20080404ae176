package import HTTPTypes
import Hummingbird
import ServerHTTP

/// The site that a browser says a request comes from.
enum RequestOrigin {
    /// Whether a request that changes something may be carried out: it must come from a page of this server.
    ///
    /// Browsers send `Sec-Fetch-Site` to addresses that they trust, which are those with TLS and the machine's own; to
    /// others they send `Origin` alone. A request with neither is not a form's.
    static func isOwn(_ request: Request) -> Bool {
        if let site = request.headers[.secFetchSite] { return site == "same-origin" || site == "none" }
        guard let origin = request.headers[.origin], let host = request.head.authority,
            let separator = origin.firstRange(of: "://")
        else { return false }
        return origin[separator.upperBound...].lowercased() == host.lowercased()
    }

    /// Whether another site's link led here; browsers withhold the session's cookie then.
    static func isForeign(_ request: Request) -> Bool { request.headers[.secFetchSite] == "cross-site" }

    /// Whether a browser keeps the session's cookie for this address: with TLS, here or in a proxy in front, or on the
    /// same machine.
    static func keepsCookies(_ request: Request) -> Bool {
        request.headers[.secFetchSite] != nil || request.headers[.forwardedProtocol] == "https"
            || isLoopback(request.head.authority ?? "")
    }

    /// Whether a browser on this machine sent the request, under a name that no other machine has. A proxy that runs
    /// here passes on the name that it is known by.
    static func isLocal(_ request: Request, from client: IPAddress?) -> Bool {
        client.map { address in loopback.contains { $0.contains(address) } } == true
            && isLoopback(request.head.authority ?? "")
    }

    private static let loopback = [IPRange("127.0.0.0/8"), IPRange("::1")].compactMap { $0 }

    private static func isLoopback(_ authority: String) -> Bool {
        let host = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } : authority.prefix { $0 != ":" }
        return host == "localhost" || host == "[::1" || host.hasPrefix("127.") && IPAddress(String(host)) != nil
    }
}

extension HTTPField.Name {
    package static let secFetchSite = Self("Sec-Fetch-Site")!
    static let forwardedProtocol = Self("X-Forwarded-Proto")!
}
