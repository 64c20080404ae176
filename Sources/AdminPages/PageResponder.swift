import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import Ledger
import NIOCore
import ServerCore
import ServerHTTP

/// Answers requests for pages: finds out who asks, writes the page, and turns errors into pages.
struct PageResponder: Sendable {
    let renderer: PageRenderer
    let sessions: AdminSessions
    let clock: @Sendable () -> Date
    /// The clock of sessions.
    let trueClock: @Sendable () -> Date
    /// The sections that this server has.
    let sections: [PageSection]

    func answer(
        _ request: Request, _ context: ServerContext, _ section: PageSection?,
        _ handler: (Visit?) async throws -> PageAnswer
    ) async throws -> Response {
        var visit: Visit?
        do {
            visit = try await self.visit(request, context, section)
            if visit == nil, request.method == .get, RequestOrigin.isForeign(request) {
                return html(SignInPages.crossing(request), nil, nil)
            }
            switch try await handler(visit) {
            case .redirect(let path): return Self.redirect(to: path)
            case .page(let content): return html(content, visit, section)
            case .file(let response): return response
            }
        } catch { return try page(for: error, visit, section, context) }
    }

    private func visit(
        _ request: Request, _ context: ServerContext, _ section: PageSection?
    ) async throws -> Visit? {
        guard let secret = SessionCookie.secret(request),
            let token = try await sessions.token(secret: secret, at: trueClock())
        else { return nil }
        context.notes.admin = token
        return Visit(
            request: request, context: context, token: token, csrf: SessionCookie.formToken(secret), date: clock(),
            zone: TimeZonePage.zone(of: request), mayChange: token.role >= (section?.roleOfActs ?? .write),
            parameters: try FormBody(request.uri.query ?? ""))
    }

    /// - Throws: the error, if it leaves the connection in a state that no page can be answered in.
    func page(
        for error: any Error, _ visit: Visit?, _ section: PageSection?, _ context: ServerContext
    ) throws -> Response {
        let (problem, isOurs) = Problem.from(error)
        guard !error.isLostConnection, problem.status != .contentTooLarge, !problem.closesConnection else {
            throw error
        }
        if isOurs { context.notes.trouble = error }
        var content = PageContent(problem.title, status: problem.status, [])
        // A page that is only looked at says nothing of changes.
        let detail = problem.detail ?? (visit?.request.method == .get ? nil : "Nothing was changed.")
        content.notice = detail.map { Notice($0, .bad) }
        content.blocks = [
            Block(
                text: isOurs ? "The server's log has it under \(context.id)." : nil,
                links: Self.linksBack(visit, section, context))
        ]
        var response = html(content, visit, section)
        response.headers[.allow] = problem.headers[.allow]
        response.headers[.retryAfter] = problem.retryAfter.map(String.init)
        return response
    }

    /// The links on the page of an error.
    private static func linksBack(_ visit: Visit?, _ section: PageSection?, _ context: ServerContext) -> [Link] {
        guard let section else {
            return [visit == nil ? Link("Sign in", SignInPages.path) : Link("Back to the overview", "/admin")]
        }
        let account = (try? context.namedAccount).map {
            Link("Back to the account", "/admin/accounts/\($0.text)")
        }
        // A link to the page that was refused would lead nowhere.
        return [account, Link("Back to: \(section.rawValue)", section.path)].compactMap { $0 }
            .filter { $0.href != visit?.request.uri.path || visit?.request.uri.query != nil }
    }

    /// The response with a page.
    func html(_ content: PageContent, _ visit: Visit?, _ section: PageSection?) -> Response {
        let side = content.blocks.contains(where: \.isList) ? content.blocks.filter(\.isOfFacts) : []
        let page = Page(
            content.title, styleSheet: PageRouter.stylePath, viewer: visit.map { viewer($0, section) },
            notice: content.notice, blocks: side.isEmpty ? content.blocks : content.blocks.filter { !$0.isOfFacts },
            side: side)
        var headers = PageHeaders.all("text/html; charset=utf-8")
        headers[.refresh] = content.refresh.map(String.init)
        headers[.setCookie] = content.cookie
        return Response(
            status: content.status, headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: renderer.html(page))))
    }

    private func viewer(_ visit: Visit, _ section: PageSection?) -> Viewer {
        let isForEverything = visit.token.reach == .everything
        let shown = sections.filter { isForEverything || PageSection.forSomeApps.contains($0) }
        func items(_ group: PageSection.Group?) -> [NavigationItem] {
            shown.filter { $0.group == group }.map { NavigationItem($0.rawValue, $0.path, isCurrent: $0 == section) }
        }
        return Viewer(
            name: visit.token.name,
            role: visit.token.role.words + (isForEverything ? "" : ", some apps"), links: items(nil),
            groups: PageSection.Group.allCases.map { NavigationGroup($0.rawValue, items($0)) }
                .filter { !$0.items.isEmpty }, zone: visit.zone?.identifier ?? "UTC", csrf: visit.csrf)
    }

    static func redirect(to path: String, cookie: String? = nil) -> Response {
        var headers = PageHeaders.all("text/plain; charset=utf-8")
        headers[.location] = path
        headers[.setCookie] = cookie
        return Response(status: .seeOther, headers: headers)
    }
}

extension HTTPField.Name {
    static let refresh = Self("Refresh")!
}

extension Problem {
    /// The problem of a form that no page of this server sent.
    static let foreignForm = Problem(
        .forbidden, "forbidden", "This form was not sent from a page of this server",
        detail: "Nothing was changed. Open the page again, and send its form. If a proxy is in front of the server, "
            + "it must pass Host on.")
    static let signedOut = Problem(
        .forbidden, "forbidden", "You are signed out", detail: "Nothing was changed. Sign in and try again.")
}

/// The content of a page, without the head that all pages have.
struct PageContent: Sendable {
    var title: String
    var notice: Notice?
    var blocks: [Block]
    var status = HTTPResponse.Status.ok
    /// In seconds, how often the browser asks for the page again; `nil` if it does not.
    var refresh: Int?
    /// A cookie that the browser keeps.
    var cookie: String?

    init(_ title: String, notice: Notice? = nil, status: HTTPResponse.Status = .ok, _ blocks: [Block]) {
        self.title = title
        self.notice = notice
        self.status = status
        self.blocks = blocks
    }
}
