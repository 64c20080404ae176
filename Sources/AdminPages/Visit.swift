import Foundation
import Hummingbird
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// A request of an administrator who is signed in.
struct Visit: Sendable {
    let request: Request
    let context: ServerContext
    let token: AdminToken
    /// The session's token against forged requests.
    let csrf: String
    let date: Date
    /// The time zone that the administrator chose; `nil` for UTC.
    let zone: TimeZone?
    /// Whether the token may do the acts of the section that the page is in.
    let mayChange: Bool
    /// The query parameters, which are encoded as the fields of a form.
    private(set) var parameters: FormBody

    /// The query parameter of this name, without white space around it; `nil` if it is missing or empty.
    func query(_ name: String) -> String? {
        let text = parameters[name]
        return text.isEmpty ? nil : text
    }

    /// The visit to the page of a form, with what was typed into the form.
    func filling(_ form: FormBody) -> Visit {
        var visit = self
        visit.parameters = form.over(parameters)
        return visit
    }

    /// The time in words, seen from now, in the chosen time zone.
    func time(_ date: Date) -> PageTime { PageTime(date, now: self.date, in: zone) }

    var administrator: Administrator { Administrator(token) }
}
