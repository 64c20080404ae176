import ArgumentParser
import Foundation
import InAppPurchase
import Ledger
import NIOHTTP1
import ServerCore
import ServerHTTP
import StrictJSON

extension SupportCommand {
    struct Grant: SupportActCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give an account a product without a purchase, permanently or until a given time.",
            discussion: """
                The grant gives access as a purchase does, but no credits, and counts in no report. Pass the printed \
                ID to `support revoke-grant` to take it back.

                Example: quartermaster support grant 946cfa6b-15d2-4a46-80c4-54ee4b20b092 \
                --product com.example.hangman.hardwords --until 2027-01-01T00:00:00Z --reason 'ticket 7'
                """)

        @OptionGroup var act: SupportOptions
        @OptionGroup var place: SupportPlace
        @Argument(help: "The account's UUID.", transform: AccountID.argument) var account: AccountID
        @Option(help: "The product's ID.") var product: ProductID
        @Option(help: "When the access ends, an RFC 3339 time (default: never).", transform: Self.time) var until: Date?
        @Option(help: "The idempotency key: the same key again changes nothing (default: a new one).") var key: String?

        static func time(_ text: String) throws -> Date {
            guard let date = Date(rfc3339: text) else {
                throw ValidationError("an RFC 3339 time, such as 2027-01-01T00:00:00Z")
            }
            return date
        }

        func validate() throws { try SupportKey.check(key) }

        func request(_ acts: SupportActs) throws -> SupportRequest {
            let scope = try place.scope(acts)
            try acts.decisions.context.catalog.require(product, of: scope.app)
            return .grant(
                ProductGrant(
                    id: Names.grant(systemRandomBytes), account: account, scope: scope, product: product, until: until,
                    idempotencyKey: SupportKey.chosen(key)))
        }

        var remote: RemoteQuestion {
            get throws {
                let members = place.members(app: "app").merging(
                    ["product": .string(product.text), "until": until.map { .string($0.rfc3339) }]) { $1 }
                return try .send(["accounts", account.text, "grants"], members, key: SupportKey.chosen(key))
            }
        }
    }

    struct RevokeGrant: SupportActCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke-grant", abstract: "Take back a product that an account was given without a purchase.",
            discussion: """
                Example: quartermaster support revoke-grant 946cfa6b-15d2-4a46-80c4-54ee4b20b092 g_AAAAAAAAAAAAAAAAAAAAAA \
                --reason 'ticket 7'
                """)

        @OptionGroup var act: SupportOptions
        @Argument(help: "The account's UUID.", transform: AccountID.argument) var account: AccountID
        @Argument(help: "The grant's ID, as printed by `accounts show`.") var grant: String

        func request(_ acts: SupportActs) -> SupportRequest { .revokeGrant(grant, of: account) }

        var remote: RemoteQuestion {
            get throws { try .send(["accounts", account.text, "grants", grant], method: .DELETE) }
        }
    }
}
