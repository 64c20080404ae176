import Basics
import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import Ledger
import Logging
import ServerCore
import ServerHTTP
import StrictJSON

/// The pages for signing in and out.
struct SignInPages: Sendable {
    static let path = "/admin/sign-in"

    let ledger: any AdminTokenLedger & KeyValueStore
    let sessions: AdminSessions
    let clients: ClientAddresses
    /// The rate limit of wrong tokens, by address.
    let limiter: RateLimiter<IPAddress?>
    let clock: @Sendable () -> Date
    let random: RandomBytes

    func add(to router: PageRouter) {
        let pages = router.responder
        router.open("/admin/sign-in", .get) { request, _ in pages.html(form(request), nil, nil) }
        router.open("/admin/sign-in", .post) { request, context in try await signIn(request, context, pages) }
        router.open("/admin/open/{code}", .get) { request, context in
            try await open(request, context) ?? pages.html(Self.usedLink, nil, nil)
        }
        router.open("/admin/sign-out", .post) { request, _ in
            guard RequestOrigin.isOwn(request) else { throw Problem.foreignForm }
            if let secret = SessionCookie.secret(request) { try await sessions.close(secret: secret) }
            return PageResponder.redirect(to: Self.path, cookie: SessionCookie.ending)
        }
    }

    /// The path of the page for signing in, which continues to the page that was requested.
    static func path(before request: Request) -> String {
        let next = request.uri.description
        guard isOwnPath(next), next != "/admin" else { return path }
        return "\(path)?next=\(next.pathEncoded)"
    }

    /// The page for visitors who followed another site's link: their browser withholds the cookie from the first
    /// request, and sends it with the second.
    static func crossing(_ request: Request) -> PageContent {
        let path = request.uri.description
        return PageContent(
            "You came from another site",
            [
                Block(
                    text: "Continue only if you want to open this page.",
                    links: [Link("Open the page", isOwnPath(path) ? path : "/admin")])
            ])
    }

    /// Whether a path is that of a page, and nothing that a browser could take for another server's.
    private static func isOwnPath(_ text: String) -> Bool {
        text.wholeMatch(of: /\/admin(\/[A-Za-z0-9._~%\-\/]*)?(\?[A-Za-z0-9._~%=&+\-]*)?/) != nil
            && !text.hasPrefix("/admin/v1") && !text.hasPrefix("/admin/open") && !text.contains("//")
    }

    private func form(_ request: Request, notice: Notice? = nil) -> PageContent {
        guard RequestOrigin.keepsCookies(request) else {
            return PageContent(
                "HTTPS is needed", notice: Notice("You cannot sign in here.", .bad), status: .forbidden,
                [
                    Block(
                        text: "Browsers keep the session of this page for addresses that begin with https://, and "
                            + "for this machine's own. Open it so, or have the proxy in front send "
                            + "X-Forwarded-Proto: https.")
                ])
        }
        let next = request.uri.queryParameters["next"].map(String.init)
        let action = next.map { next in "\(Self.path)?next=\(next.pathEncoded)" }
        let field = Field.input(
            "Admin token", name: "token", type: "password",
            hint: "Made by: quartermaster admin-token create --name … --role read|write",
            autocomplete: "current-password")
        return PageContent(
            "Sign in", notice: notice,
            [Block(form: .signIn(action ?? Self.path, [field], button: "Sign in"))])
    }

    private func signIn(_ request: Request, _ context: ServerContext, _ pages: PageResponder) async throws -> Response {
        guard RequestOrigin.isOwn(request) else { throw Problem.foreignForm }
        let text = try await FormBody(request, context)["token"]
        guard let token = try await ledger.adminToken(digest: AccessToken.digest(of: text)) else {
            // Only wrong tokens are counted, after they were looked up: a valid one is always accepted.
            try limiter.consume(for: clients.subscriber(request, context), at: clock())
            var content = form(request, notice: Notice("This is no admin token, or it was revoked.", .bad))
            content.status = .forbidden
            return pages.html(content, nil, nil)
        }
        let next = request.uri.queryParameters["next"].map(String.init)
        return try await open(token, next, from: clients.client(request, context), context)
    }

    private func open(_ request: Request, _ context: ServerContext) async throws -> Response? {
        guard RequestOrigin.keepsCookies(request) else { return nil }
        let code = try context.pathPart("code")
        let links = SignInLinks(ledger: ledger, random: random)
        let client = clients.client(request, context)
        let isLocal = RequestOrigin.isLocal(request, from: client)
        guard let token = try await links.redeem(code, isLocal: isLocal, at: clock()) else {
            try limiter.consume(for: clients.subscriber(request, context), at: clock())
            return nil
        }
        return try await open(token, nil, from: client, context)
    }

    private func open(
        _ token: AdminToken, _ next: String?, from address: IPAddress?, _ context: ServerContext
    ) async throws -> Response {
        let secret = try await sessions.open(token, from: address.map { "\($0)" }, at: clock())
        context.notes.admin = token
        context.logger.info("an administrator signed in", metadata: ["admin": "\(token.name)"])
        let path = next.flatMap { Self.isOwnPath($0) ? $0 : nil } ?? "/admin"
        return PageResponder.redirect(to: path, cookie: SessionCookie.setting(secret))
    }

    private static let usedLink = PageContent(
        "This link is used up", status: .forbidden,
        [
            Block(
                text: "A link signs in once: on the server's machine within ten minutes, elsewhere within one, over "
                    + "HTTPS. Make another: quartermaster admin-token open --name …",
                links: [Link("Sign in with a token", path)])
        ])
}
