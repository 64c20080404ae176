import Foundation
import TestSupport
import Testing

@testable import QuartermasterClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct ConnectionTests {
    @Test func `What the system did not send is known as unsent, and what it forbids has a name`() {
        let names: [(URLError.Code, ConnectionError)] = [
            (.notConnectedToInternet, .notConnected), (.dataNotAllowed, .notConnected),
            (.internationalRoamingOff, .notConnected), (.cannotConnectToHost, .notConnected),
            (.appTransportSecurityRequiresSecureConnection, .insecure), (.networkConnectionLost, .unreachable),
            (.timedOut, .timedOut),
        ]
        for (code, error) in names {
            #expect(ConnectionError(URLError(code)) == error)
            #expect(error.isUnsent == [.notConnected, .insecure].contains(error))
        }
        #expect(DownloadError(final: ConnectionError.insecure) == .insecure)
        #expect(DownloadError(final: ConnectionError.notConnected) == nil)
    }

    @Test func `Only content is redirected, with no secret, and never from TLS to none`() throws {
        let (secure, plain) = (try #require(URL(string: "https://a.example")), URL(string: "http://b.example"))
        var request = HTTPRequest(secure)
        #expect(!request.follows(to: secure))
        request.followsRedirects = true
        #expect(request.follows(to: secure))
        #expect(!request.follows(to: plain) && !request.follows(to: URL(string: "file:///etc/passwd")))
        #expect(!request.follows(to: nil))
        request.headers["Authorization"] = "Bearer secret"
        #expect(!request.follows(to: secure))
        var local = HTTPRequest(try #require(plain))
        local.followsRedirects = true
        #expect(local.follows(to: plain))
    }

    @Test(.enabled(if: ShopServer.isBuilt)) func `An answer of the server is not another host's`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let proxy = try await DownloadProxy.start(upstream: server.url)
        let url = server.url
        proxy.decide { request in
            .answer(status: 307, headers: [("Location", url.absoluteString + request.uri)])
        }
        let phone = try await Device(server, customer: "ada", folder: Device.newFolder(), at: proxy.url)
        await #expect(throws: ConnectionError.redirected) { try await phone.shop.refresh() }
        await #expect(throws: ConnectionError.redirected) { try await phone.shop.buy("words") }
        #expect(await phone.shop.state.products.isEmpty)
        await phone.quit()
        try await proxy.stop()
        try await server.end()
    }
}
