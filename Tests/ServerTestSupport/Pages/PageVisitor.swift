import Foundation
package import HTTPTypes
package import InAppPurchase
package import Ledger
package import NIOCore
import NIOHTTP1
import Testing

import AdminPages
import ServerHTTP

/// A browser without JavaScript: it keeps the cookie, says where its requests come from, and fills in forms.
package struct PageVisitor: Sendable {
    private var client: PatientClient
    /// The value of the session's cookie; `nil` if nobody is signed in.
    package var cookie: String?

    package init(client: PatientClient) {
        self.client = client
        self.client.followsRedirects = false
    }

    /// The header fields of a browser that a form of this server sends.
    package static func fields(_ site: String? = "same-origin", cookie: String? = nil) -> HTTPFields {
        var fields: HTTPFields = [:]
        fields[.secFetchSite] = site
        fields[.cookie] = cookie.map { "other=1; \(SessionCookie.name)=\($0)" }
        return fields
    }

    package func get(_ path: String, site: String? = "same-origin") async throws -> Answer {
        try await send(.get, path, nil, Self.fields(site, cookie: cookie))
    }

    package func post(_ path: String, _ form: [(String, String)], site: String? = "same-origin") async throws -> Answer
    {
        try await post(path, form, Self.fields(site, cookie: cookie))
    }

    package func post(_ path: String, _ form: [(String, String)], _ fields: HTTPFields) async throws -> Answer {
        let body = form.map { name, value in
            [name, value].map { $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }
                .joined(separator: "=")
        }.joined(separator: "&")
        var fields = fields
        fields[.contentType] = "application/x-www-form-urlencoded"
        return try await send(.post, path, ByteBuffer(string: body), fields)
    }

    package func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: ByteBuffer?, _ fields: HTTPFields
    ) async throws -> Answer {
        let answer = try await client.execute(uri: path, method: method, headers: fields, body: body) { response in
            Answer(
                status: response.status.code, headers: response.headers, bytes: Data(response.body.readableBytesView))
        }
        // A value of Swift that has no description of its own.
        let raw = answer.html.firstMatch(of: #/Optional\(|[A-Z][A-Za-z]+\([a-z][A-Za-z]*: /#)
        #expect(raw == nil, "\(path) shows \(raw?.output ?? "")")
        return answer
    }

    /// Signs in with a token.
    package func signedIn(_ token: String) async throws -> PageVisitor {
        let answer = try await post("/admin/sign-in", [("token", token)])
        #expect(answer.status == 303, "\(answer)")
        var visitor = self
        let secret: String = try #require(answer.sessionCookie)
        visitor.cookie = secret
        return visitor
    }

    /// Opens a page with a form, and sends the form with what is filled in.
    package func submit(_ page: String, _ filled: [(String, String)]) async throws -> Answer {
        let form = try #require(PageForm(try await get(page).html), "\(page)")
        return try await post(form.action, form.hidden + filled)
    }
}

/// The form of a page that changes something.
package struct PageForm {
    package var action: String
    package var hidden: [(String, String)]

    /// - Returns: `nil` if the page has none but the one for signing out.
    package init?(_ html: String) {
        let forms = html.matches(of: /<form method="post" action="([^"]*)">(?s)(.*?)<\/form>/)
        guard let form = forms.last else { return nil }
        action = String(form.output.1).unescaped
        hidden = form.output.2.matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)">/)
            .map { (String($0.output.1).unescaped, String($0.output.2).unescaped) }
    }
}

extension String {
    /// The text that a browser shows of HTML.
    package var unescaped: String {
        replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
    }
}

extension Answer {
    package var html: String { String(decoding: bytes, as: UTF8.self) }

    /// The value that the answer sets the session's cookie to.
    package var sessionCookie: String? {
        let cookies = headers[values: .setCookie].compactMap {
            $0.firstMatch(of: /^__Host-qm_admin=([A-Za-z0-9_-]*);/)?.output.1
        }
        return cookies.first.map(String.init)
    }
}

extension World {
    package static let pagesOn = ["QUARTERMASTER_ADMIN_PAGES": "true"]

    package var visitor: PageVisitor { PageVisitor(client: server) }

    /// An administrator who is signed in to the pages.
    package func visitor(
        _ role: AdminToken.Role, name: String = "alice", for apps: [BundleID] = []
    ) async throws -> PageVisitor {
        try await visitor.signedIn(try await newAdmin(role, name: name, for: apps).token)
    }
}
