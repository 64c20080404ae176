import Basics
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Ledger
import ServerCore
import ServerHTTP

/// The routes of the pages, and their access control.
struct PageRouter {
    typealias PageHandler = @Sendable (Visit) async throws -> PageAnswer
    typealias ActHandler = @Sendable (Visit, FormBody) async throws -> PageAnswer

    /// The path of the style sheet changes with its content, so that browsers may keep it.
    static let stylePath = "/admin/assets/\(Data(SHA256.hash(data: Data(StyleSheet.text.utf8))).hex.prefix(16)).css"

    let routes: RouteGroup
    let responder: PageResponder

    /// Adds a page for administrators who are signed in.
    ///
    /// - Parameter subject: what it is about, which decides whether a token for some apps may open it.
    func page(
        _ path: String, _ section: PageSection, about subject: RouteSubject = .everything,
        _ handler: @escaping PageHandler
    ) {
        routes.on(.get, path, .page) { [responder] request, context in
            try await responder.answer(request, context, section) { visit in
                guard let visit else { return PageAnswer.redirect(SignInPages.path(before: request)) }
                try subject.require(visit.administrator, context)
                return try await handler(visit)
            }
        }
    }

    /// Adds the page that an act begins with, for administrators who may change something.
    func formPage(
        _ path: String, _ section: PageSection, about subject: RouteSubject = .everything,
        _ handler: @escaping PageHandler
    ) {
        page(path, section, about: subject) { visit in
            try visit.administrator.require(section.roleOfActs)
            return try await handler(visit)
        }
    }

    /// Adds an act of administrators who may change something. A form is read only if a page of this server sent it and
    /// its sender is signed in; whether the sender may change something is checked after that.
    ///
    /// - Parameters:
    ///   - subject: what it is about, which decides whether a token for some apps may do it.
    ///   - page: makes the page with the form again, if the act is refused for what was typed.
    func act(
        _ path: String, _ section: PageSection, about subject: RouteSubject = .everything,
        on page: PageHandler? = nil, _ handler: @escaping ActHandler
    ) {
        routes.on(.post, path, .page) { [responder] request, context in
            try await responder.answer(request, context, section) { visit in
                guard RequestOrigin.isOwn(request) else { throw Problem.foreignForm }
                guard let visit, let secret = SessionCookie.secret(request) else { throw Problem.signedOut }
                let form = try await FormBody(request, context)
                guard SessionCookie.isFormToken(form[Form.csrfField], of: secret) else { throw Problem.foreignForm }
                try visit.administrator.require(section.roleOfActs)
                try subject.require(visit.administrator, context)
                do { return try await handler(visit, form) } catch {
                    guard let page, let refused = RefusedForm(error, form, visit),
                        let content = await refused.content(on: page)
                    else { throw error }
                    return .page(content)
                }
            }
        }
    }

    /// Adds an act whose form contains files. The handler reads the form, and acts on nothing before it has seen the
    /// session's token in it.
    ///
    /// - Parameter subject: what it is about, which decides whether a token for some apps may do it.
    func upload(
        _ path: String, _ section: PageSection, about subject: RouteSubject = .everything,
        _ handler: @escaping @Sendable (Visit, _ secret: String) async throws -> PageAnswer
    ) {
        routes.on(.post, path, .page) { [responder] request, context in
            try await responder.answer(request, context, section) { visit in
                guard RequestOrigin.isOwn(request) else { throw Problem.foreignForm }
                guard let visit, let secret = SessionCookie.secret(request) else { throw Problem.signedOut }
                try visit.administrator.require(section.roleOfActs)
                try subject.require(visit.administrator, context)
                return try await handler(visit, secret)
            }
        }
    }

    /// Adds a route for visitors who are not signed in.
    func open(
        _ path: String, _ method: HTTPRequest.Method,
        _ handler: @escaping @Sendable (Request, ServerContext) async throws -> Response
    ) {
        routes.on(method, path, .page) { [responder] request, context in
            do {
                return try await handler(request, context)
            } catch { return try responder.page(for: error, nil, nil, context) }
        }
    }
}

extension RouteFacts {
    /// Those of each page, form and asset. A chunked form must be small: browsers send none.
    static let page = RouteFacts(nil)
}

/// The answer to a request for a page, or to a form.
enum PageAnswer: Sendable {
    case page(PageContent)
    /// The path of the page to go on with (303 See Other).
    case redirect(String)
    /// A file, with header fields that keep browsers from running anything in it.
    case file(Response)
}
