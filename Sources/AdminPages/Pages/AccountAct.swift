import Foundation
import InAppPurchase
import Ledger
import ServerCore

/// An act on an account that needs nothing but a reason.
struct AccountAct: Sendable {
    /// The last part of its path, which is also the value of `done` in the query afterwards.
    let path: String
    let title: String
    /// The state after it, in a sentence.
    let after: String
    /// The sentence on the account's page when it is done.
    let done: String
    var isDangerous = false
    /// Whether it has effect only where an app's sandbox admits testers.
    var needsSandbox = false
    /// Whether it can be done for one app alone. Where there are several, its page asks which.
    var isByApp = false
    let isPossible: @Sendable (AccountFacts) -> Bool
    let request: @Sendable (AccountID, BundleID?) -> SupportRequest

    static let all: [AccountAct] =
        standings + [
            AccountAct(
                path: "end-sessions", title: "End all sessions",
                after: "Signs out every device. The player's recovery code opens new sessions.",
                done: "All sessions were ended.", isDangerous: true, isPossible: { _ in true },
                request: { account, _ in .revokeSessions(account) }),
            AccountAct(
                path: "reset-sandbox", title: "Reset the sandbox",
                after: "Its sandbox purchases are forgotten and its sandbox credits are 0, so that everything can be "
                    + "bought again. Production is not touched.",
                done: "The sandbox was reset.", isDangerous: true, isByApp: true, isPossible: { _ in true },
                request: { account, app in .resetSandbox(account, app: app) }),
        ]

    private static let standings = [
        AccountAct(
            path: "block", title: "Block the account",
            after: "The player can no longer sign in. Everything bought is kept.", done: "The account is blocked.",
            isDangerous: true, isPossible: { $0.blockedAt == nil },
            request: { account, _ in .setBlocked(account, true) }),
        AccountAct(
            path: "unblock", title: "Unblock the account", after: "Everything is as it was before the block.",
            done: "The account is no longer blocked.", isPossible: { $0.blockedAt != nil },
            request: { account, _ in .setBlocked(account, false) }),
        AccountAct(
            path: "add-tester", title: "Make it a tester",
            after: "Sandbox purchases, which cost nothing, give it access where the app admits testers.",
            done: "The account is a tester.", needsSandbox: true, isPossible: { $0.testerSince == nil },
            request: { account, _ in .setTester(account, true) }),
        AccountAct(
            path: "remove-tester", title: "Remove it as a tester",
            after: "Its sandbox purchases no longer give it access.",
            done: "The account is no longer a tester.", isPossible: { $0.testerSince != nil },
            request: { account, _ in .setTester(account, false) }),
        AccountAct(
            path: "add-beta", title: "Offer beta versions", after: "It is also offered versions on the beta channel.",
            done: "Beta versions are offered.", isPossible: { $0.betaSince == nil },
            request: { account, _ in .setBeta(account, true) }),
        AccountAct(
            path: "remove-beta", title: "Stop offering beta versions",
            after: "It is offered the same versions as everybody.",
            done: "Beta versions are no longer offered.", isPossible: { $0.betaSince != nil },
            request: { account, _ in .setBeta(account, false) }),
        AccountAct(
            path: "remove-external-id", title: "Remove the external ID",
            after: "The account is no longer found by it, and another account can have it.",
            done: "The external ID was removed.", isPossible: { $0.externalID != nil },
            request: { account, _ in .setExternalID(account, nil) }),
    ]

    /// The notice on an account's page after an act; `nil` for an unknown name, so that another site's link cannot put
    /// words there.
    static func notice(_ done: String) -> Notice? {
        let others = [
            "credits": "The credits were posted.", "transfer": "The purchase was transferred to this account.",
            "extend": "The renewal date was extended.",
            "undo": "The transfer was undone: the purchase is this account's again.",
            "note": "The note was written down.", "remove-note": "The note was removed.",
            ExternalIDPages.done: "The external ID was recorded.",
            "grant": "The product was given.", "take-back": "The product was taken back.",
        ]
        return (all.first { $0.path == done }?.done ?? others[done]).map { Notice($0, .good) }
    }
}
