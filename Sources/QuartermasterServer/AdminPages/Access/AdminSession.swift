import Foundation
import InAppPurchase
import Ledger

/// A session of an administrator in the pages, as it is stored. It ends with the token that it was opened with.
struct AdminSession: Codable, Sendable {
    /// The name of the token; a later token of the same name is another one, see ``tokenCreated``.
    var token: String
    /// In milliseconds since 1970, as in the ledger.
    var tokenCreated: Int
    /// In milliseconds since 1970.
    var opened: Int
    /// The client's address when it was opened.
    var address: String?

    init(_ token: AdminToken, from address: String?, at date: Date) {
        self.token = token.name
        tokenCreated = token.createdAt.milliseconds
        opened = date.milliseconds
        self.address = address
    }

    /// Whether it was opened with this token.
    func belongs(to token: AdminToken) -> Bool {
        token.name == self.token && token.createdAt.milliseconds == tokenCreated
    }
}
