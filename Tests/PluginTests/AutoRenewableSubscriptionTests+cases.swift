import Foundation
import InAppPurchase
import TestSupport

extension AutoRenewableSubscriptionTests {
    static let oneLine: [Case] = [
        Case(
            testDescription: "runs", purchases: [gold("1", on: march, until: april)],
            gold: .granted(until: april), silver: .denied(.expired)),
        Case(
            testDescription: "renewed",
            purchases: [gold("1", on: february, until: march), gold("2", on: march, until: april)],
            gold: .granted(until: april), silver: .denied(.expired)),
        Case(
            testDescription: "ends now", purchases: [gold("1", on: february, until: today)], gold: .denied(.expired),
            silver: .denied(.expired)),
        Case(
            testDescription: "a first purchase that begins later", purchases: [gold("1", on: april, until: may)],
            gold: .denied(.notStarted), silver: .denied(.expired)),
        Case(
            testDescription: "within a minute it counts as begun", purchases: [gold("1", on: today + 60, until: april)],
            gold: .granted(until: april), silver: .denied(.expired)),
        Case(
            testDescription: "a renewal signed ahead",
            purchases: [gold("1", on: february, until: april), gold("2", on: april, until: may)],
            gold: .granted(until: may), silver: .denied(.expired)),
        Case(
            testDescription: "a renewal signed ahead, and the period before is not known",
            purchases: [gold("2", on: april, until: may)], gold: .granted(until: may), silver: .denied(.expired)),
        Case(
            testDescription: "nothing is paid for until it begins",
            purchases: [gold("1", on: february, until: march), gold("2", on: april, until: may)],
            gold: .denied(.notStarted), silver: .denied(.expired)),
        Case(
            testDescription: "the period before was refunded",
            purchases: [gold("1", on: february, until: april, revoked: true), gold("2", on: april, until: may)],
            gold: .granted(until: may), silver: .denied(.expired)),
        Case(
            testDescription: "without end", purchases: [gold("1", on: march, until: nil)],
            renewals: facts(grace: april, retry: true), gold: .denied(.expired), silver: .denied(.expired)),
        Case(
            testDescription: "refunded", purchases: [gold("1", on: march, until: april, revoked: true)],
            gold: .denied(.revoked), silver: .denied(.expired)),
        Case(
            testDescription: "refunded by a share", purchases: [bought("gold", "1", on: march, until: april, share: 1)],
            gold: .denied(.revoked), silver: .denied(.expired)),
        Case(
            testDescription: "an old period refunded, the current one stays",
            purchases: [gold("1", on: february, until: march, revoked: true), gold("2", on: march, until: april)],
            gold: .granted(until: april), silver: .denied(.expired)),
        Case(
            testDescription: "the current period refunded",
            purchases: [gold("1", on: february, until: march), gold("2", on: march, until: april, revoked: true)],
            gold: .denied(.revoked), silver: .denied(.expired)),
        Case(
            testDescription: "Family Sharing gives access",
            purchases: [bought("gold", "1", on: march, until: april, ownershipType: .familyShared)],
            gold: .granted(until: april), silver: .denied(.expired)),
    ]

    /// The App Store's own status speaks of periods that began before it was stated.
    static let statuses: [Case] = [
        Case(
            testDescription: "expired ends grace", purchases: [gold("1", on: february, until: march)],
            renewals: facts(grace: april, status: (2, march)), gold: .denied(.expired), silver: .denied(.expired)),
        Case(
            testDescription: "expired, said of an earlier period", purchases: [gold("1", on: february, until: march)],
            renewals: facts(grace: april, status: (2, february)), gold: .granted(until: april),
            silver: .denied(.expired)),
        Case(
            testDescription: "expired ends no period that ends later",
            purchases: [gold("1", on: february, until: april)],
            renewals: facts(status: (2, march)), gold: .granted(until: april), silver: .denied(.expired)),
        Case(
            testDescription: "expired ends the leeway", purchases: [gold("1", on: february, until: today - 60)],
            renewals: facts(renews: true, status: (2, today - 30)), gold: .denied(.expired), silver: .denied(.expired)),
        Case(
            testDescription: "active extends nothing", purchases: [gold("1", on: february, until: march)],
            renewals: facts(status: (1, march)), gold: .denied(.expired), silver: .denied(.expired)),
        Case(
            testDescription: "billing retry extends nothing", purchases: [gold("1", on: february, until: march)],
            renewals: facts(retry: true, status: (3, march)), gold: .denied(.billingRetry), silver: .denied(.expired)),
        Case(
            testDescription: "grace without a date lasts 28 days", purchases: [gold("1", on: february, until: march)],
            renewals: facts(retry: true, status: (4, march)), gold: .granted(until: march + 28 * 86_400),
            silver: .denied(.expired)),
        Case(
            testDescription: "revoked ends the period", purchases: [gold("1", on: february, until: april)],
            renewals: facts(status: (5, march)), gold: .denied(.revoked), silver: .denied(.expired)),
        Case(
            testDescription: "revoked, said before the period began", purchases: [gold("1", on: march, until: april)],
            renewals: facts(status: (5, march)), gold: .granted(until: april), silver: .denied(.expired)),
    ]

    static let billing: [Case] = [
        Case(
            testDescription: "grace", purchases: [gold("1", on: february, until: march)],
            renewals: facts(grace: april, retry: true), gold: .granted(until: april), silver: .denied(.expired)),
        Case(
            testDescription: "grace is over, the store still tries", purchases: [gold("1", on: february, until: march)],
            renewals: facts(grace: today, retry: true), gold: .denied(.billingRetry), silver: .denied(.expired)),
        Case(
            testDescription: "billing retry without grace", purchases: [gold("1", on: february, until: march)],
            renewals: facts(retry: true), gold: .denied(.billingRetry), silver: .denied(.expired)),
        Case(
            testDescription: "billing failed for good", purchases: [gold("1", on: february, until: march)],
            renewals: facts(), gold: .denied(.expired), silver: .denied(.expired)),
        Case(
            testDescription: "paid after all: old grace says nothing", purchases: [gold("1", on: march, until: april)],
            renewals: facts(grace: today, retry: true), gold: .granted(until: april), silver: .denied(.expired)),
        Case(
            testDescription: "a refund ends grace", purchases: [gold("1", on: february, until: march, revoked: true)],
            renewals: facts(grace: april, retry: true), gold: .denied(.revoked), silver: .denied(.expired)),
        Case(
            testDescription: "the facts of another line", purchases: [gold("9", line: "9", on: february, until: march)],
            renewals: facts(grace: april, retry: true), gold: .denied(.expired), silver: .denied(.expired)),
    ]

    static let changes: [Case] = [
        Case(
            testDescription: "upgrade, which may expire earlier than what it replaced",
            purchases: [
                silver("1", on: march, until: noon("2027-03-01"), upgraded: true),
                gold("2", on: noon("2026-03-10"), until: april),
            ], gold: .granted(until: april), silver: .denied(.upgraded)),
        Case(
            testDescription: "upgrade, and the old copy does not say so yet",
            purchases: [silver("1", on: march, until: april), gold("2", on: noon("2026-03-10"), until: april)],
            gold: .granted(until: april), silver: .denied(.upgraded)),
        Case(
            testDescription: "upgrade with the old period refunded",
            purchases: [
                silver("1", on: march, until: april, revoked: true, upgraded: true),
                gold("2", on: noon("2026-03-10"), until: april),
            ], gold: .granted(until: april), silver: .denied(.revoked)),
        Case(
            testDescription: "the upgrade is not seen yet",
            purchases: [silver("1", on: march, until: april, upgraded: true)], gold: .denied(.expired),
            silver: .denied(.upgraded)),
        Case(
            testDescription: "downgrade at renewal",
            purchases: [gold("1", on: february, until: march), silver("2", on: march, until: april)],
            gold: .denied(.expired), silver: .granted(until: april)),
        Case(
            testDescription: "a downgrade that is signed ahead waits",
            purchases: [
                gold("1", on: march, until: noon("2026-03-16")), silver("2", on: noon("2026-03-16"), until: may),
            ], gold: .granted(until: noon("2026-03-16")), silver: .denied(.notStarted)),
        Case(
            testDescription: "a cross-grade of another duration likewise, back and forth",
            purchases: [
                silver("1", on: february, until: march), gold("2", on: march, until: noon("2026-03-15")),
                silver("3", on: noon("2026-03-15"), until: april),
            ], gold: .denied(.expired), silver: .granted(until: april)),
        Case(
            testDescription: "a renewal signed ahead and refunded",
            purchases: [
                gold("1", on: february, until: noon("2026-03-16")),
                gold("2", on: noon("2026-03-16"), until: may, revoked: true),
            ], gold: .granted(until: noon("2026-03-16")), silver: .denied(.expired)),
        Case(
            testDescription: "bought again after a gap, the trouble before it forgotten",
            purchases: [gold("1", on: january, until: february), gold("2", on: noon("2026-03-02"), until: today)],
            renewals: facts(retry: true), gold: .denied(.expired), silver: .denied(.expired)),
        Case(
            testDescription: "the upgrade expired",
            purchases: [
                silver("1", on: february, until: noon("2026-02-28"), upgraded: true),
                gold("2", on: noon("2026-02-10"), until: march),
            ], gold: .denied(.expired), silver: .denied(.upgraded)),
        Case(
            testDescription: "the upgrade was refunded",
            purchases: [
                silver("1", on: march, until: april, upgraded: true),
                gold("2", on: noon("2026-03-10"), until: april, revoked: true),
            ], gold: .denied(.revoked), silver: .denied(.upgraded)),
    ]

    static let severalLines: [Case] = [
        Case(
            testDescription: "the newest of two that run decides",
            purchases: [
                silver("1", on: march, until: april),
                gold("5", line: "5", on: noon("2026-03-02"), until: april),
            ],
            gold: .granted(until: april), silver: .denied(.upgraded)),
        Case(
            testDescription: "one that runs before a newer one that does not",
            purchases: [
                silver("1", on: march, until: april),
                gold("5", line: "5", on: noon("2026-03-02"), until: april, revoked: true),
            ], gold: .denied(.revoked), silver: .granted(until: april)),
        Case(
            testDescription: "of one date the higher level",
            purchases: [silver("1", on: march, until: april), gold("5", line: "5", on: march, until: april)],
            gold: .granted(until: april), silver: .denied(.upgraded)),
        Case(
            testDescription: "two of one product are worth the longer",
            purchases: [gold("6", line: "6", on: march, until: may), gold("5", line: "5", on: march, until: april)],
            gold: .granted(until: may), silver: .denied(.expired)),
        Case(
            testDescription: "the higher level before the newer",
            purchases: [
                gold("1", on: march, until: april),
                bought("silver", "5", original: "5", on: noon("2026-03-02"), until: may, ownershipType: .familyShared),
            ], gold: .granted(until: april), silver: .denied(.upgraded)),
        Case(
            testDescription: "Family Sharing revoked beside an own purchase",
            purchases: [
                silver("1", on: march, until: april),
                bought(
                    "gold", "5", original: "5", on: noon("2026-03-02"), until: may, revoked: true,
                    ownershipType: .familyShared),
            ], gold: .denied(.revoked), silver: .granted(until: april)),
        Case(
            testDescription: "none runs: the newest tells why",
            purchases: [silver("1", on: february, until: march), gold("5", line: "5", on: january, until: february)],
            renewals: facts(retry: true), gold: .denied(.expired), silver: .denied(.billingRetry)),
        Case(
            testDescription: "grace of one line before another that expired later",
            purchases: [
                silver("1", on: february, until: march),
                gold("5", line: "5", on: march, until: noon("2026-03-10")),
            ],
            renewals: facts(grace: april), gold: .denied(.expired), silver: .granted(until: april)),
    ]
}
