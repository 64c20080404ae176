import Content
package import Foundation
package import InAppPurchase
package import Ledger
import ServerHTTP

// Which facts are an alarm.

extension MissingProduct {
    /// Why its purchases give nothing, as the end of a sentence.
    package func trouble(in catalog: Catalog?) -> String {
        guard let listed = catalog?.product(product, of: app) else { return "is not in the catalog" }
        return listed.type.wordsOfMismatch(with: type)
    }
}

extension ProductType {
    /// Why a product of this type in the catalog gives nothing for purchases of another one, as the end of a sentence.
    ///
    /// - Parameter type: the App Store's; `nil` if it is not known.
    package func wordsOfMismatch(with type: ProductType?) -> String {
        "is \(rawValue) in the catalog, and \(type?.rawValue ?? "of another type") in the App Store"
    }
}

extension Alarm {
    /// - Parameter catalog: distinguishes the products that it has with another type than the store's; `nil` if it is
    ///   not known.
    package static func missing(_ products: [MissingProduct], from catalog: Catalog?) -> Alarm {
        let named = products.prefix(3).map { product in
            "\(product.product) of \(product.app) \(product.trouble(in: catalog))"
        }
        let names = named + (products.count > 3 ? ["…"] : [])
        return Alarm(
            .missingProducts, isBad: !products.isEmpty,
            count: products.map(\.purchases).reduce(0) { $0.saturatingAdding($1) },
            since: products.map(\.oldest).min(),
            names.isEmpty ? "Every product that was bought is known." : names.joined(separator: ", "))
    }

    /// The alarm of waiting receipts. Those that are asked about again have been delivered: only those never answered
    /// are bad.
    package static func waiting(_ pending: PendingReceipts) -> Alarm {
        Alarm(
            kind: .receiptsWaiting, level: pending.oldest != nil ? .bad : pending.count > 0 ? .waiting : .good,
            count: pending.count, since: pending.oldest,
            detail: pending.oldest != nil
                ? "Somebody paid and was never answered."
                : pending.count == 0 ? "Nobody waits." : "Their purchases are delivered meanwhile.")
    }

    package static func neverFetched(_ purchases: [UnfetchedPurchase]) -> Alarm {
        Alarm(
            .neverFetched, isBad: !purchases.isEmpty, count: purchases.count, since: purchases.first?.date,
            purchases.first.map { "\($0.bundle) by \($0.transaction.id) is the oldest." }
                ?? "None for a day or longer.")
    }

    /// The alarm of apps that sold in Production, and of which no notification was sent here: a game without purchases
    /// gets none.
    ///
    /// - Parameter isRefused: whether what is sent here is refused, which is another alarm.
    static func silence(_ activity: LedgerActivity, isRefused: Bool = false, at date: Date) -> Alarm {
        let begin = date.addingTimeInterval(-Overview.maximumSilence)
        let newest = { (app: BundleID) in activity.newestNotifications[Scope(app: app, environment: .production)] }
        let silent = activity.newestPurchases.keys.filter { app in newest(app).map { $0 < begin } ?? true }.sorted()
        let last = silent.compactMap(newest)
        let names = silent.prefix(3).map(\.text) + (silent.count > 3 ? ["…"] : [])
        let isAnything = activity.newestNotification.map { $0 >= begin } ?? false
        let detail =
            switch (silent.isEmpty, activity.newestPurchases.isEmpty && !isAnything) {
            case (true, true): "None for a day, and no purchase either."
            case (true, false): "Notifications arrive."
            case (false, _):
                "\(isRefused ? "What comes is refused" : last.isEmpty ? "None ever came" : "None for a day"), although "
                    + "there are purchases: \(names.joined(separator: ", "))"
            }
        return Alarm(
            kind: .noNotifications, level: silent.isEmpty ? .good : isRefused ? .waiting : .bad, count: silent.count,
            since: last.min(), detail: detail)
    }

    package static func unconfirmed(_ deliveries: [ManifestDelivery]) -> Alarm {
        Alarm(
            kind: .unconfirmedDeliveries, level: deliveries.isEmpty ? .good : .waiting, count: deliveries.count,
            since: deliveries.first?.firstDate,
            detail: deliveries.first.map { "\($0.manifest.bundle) \($0.manifest.version) is the oldest." }
                ?? "None for a day or longer.")
    }

    package static func unavailable(_ products: [UnavailableProduct]) -> Alarm {
        Alarm(
            kind: .unavailableProducts, level: products.isEmpty ? .good : .waiting, count: products.count,
            since: nil, detail: products.first.map { "\($0.product) of \($0.app)" } ?? "No app reported one.")
    }

    static func misplaced(_ count: Int) -> Alarm {
        Alarm(
            .misplacedPurchases, isBad: count > 0, count: min(count, Overview.maximumCount + 1), since: nil,
            count == 0
                ? "No earlier version left one." : "An earlier version left subscriptions with their former owners.")
    }

    /// The alarm of periods whose credits were given too often. A studio may leave them to the players.
    package static func doubled(_ periods: [DoubledPeriod]) -> Alarm {
        Alarm(
            kind: .doubledPeriods, level: periods.isEmpty ? .good : .waiting, count: periods.count, since: nil,
            detail: periods.isEmpty
                ? "No earlier version left one."
                : """
                An earlier version gave their credits too often. quartermaster ledger rebuild --periods takes these \
                back; with --check it lists them.
                """)
    }

    package static func unsealed(_ activity: LedgerActivity, at date: Date) -> Alarm {
        let age = activity.oldestUnsealed.map { date.timeIntervalSince($0) } ?? 0
        let isBad = age > Overview.maximumSealAge
        return Alarm(
            .auditUnsealed, isBad: isBad, count: isBad ? 1 : 0, since: isBad ? activity.oldestUnsealed : nil,
            isBad ? "Rows wait for their seal." : "Sealed.")
    }

    /// The alarm of keys for which a root has to vouch: the next one before it signs, and all before the list expires.
    package static func keys(_ keys: ManifestKeys?, at date: Date) -> Alarm {
        guard let keys, let list = keys.list?.list else {
            return Alarm(.keysUnsigned, isBad: false, count: 0, since: nil, "No root key is used.")
        }
        let due = keys.unnamed.map(keys.signsFrom).reduce(list.end, min)
        let days = Int(clamping: (due.timeIntervalSince(date) / 86_400).rounded(.up))
        guard days <= Overview.keysNoticeDays else {
            return Alarm(.keysUnsigned, isBad: false, count: 0, since: nil, "Signed.")
        }
        return Alarm(
            kind: .keysUnsigned, level: days <= Overview.keysAlarmDays ? .bad : .waiting, count: max(0, days),
            since: days <= 0 ? due : nil,
            detail: days > 0
                ? days == 1 ? "1 day is left" : "\(days) days are left"
                : "Due since \(TimeFormat.wholeSeconds.text(of: due))")
    }

    package static func outage(of condition: StoreCondition, _ store: String) -> Alarm {
        let outages = condition.interfaces.filter { $0.outage != nil }
        return Alarm(
            .storeOutage, isBad: !outages.isEmpty, count: outages.count, since: outages.compactMap(\.outage).min(),
            outages.isEmpty
                ? "The \(store) answers, as far as it was asked."
                : "No answer: " + outages.map { "\($0.name) \($0.environment.rawValue)" }.joined(separator: ", "))
    }

    /// The alarm of signatures that are refused, if most are.
    static func rejected(_ signatures: SignatureWatch.Summary) -> Alarm {
        let refused = SignatureWatch.Kind.allCases.filter(signatures.refusesMost)
        let counts = refused.compactMap { signatures.counts[$0] }
        let words = zip(refused, counts).map { "\($1.refused) of \($1.all) \($0.rawValue)" }.joined(separator: ", ")
        let last = signatures.last.map { "; the last: \($0.reason.rawValue), \($0.detail)" } ?? ""
        return Alarm(
            .receiptsRejected, isBad: !refused.isEmpty,
            count: min(counts.map(\.refused).reduce(0) { $0.saturatingAdding($1) }, Overview.maximumCount + 1),
            since: nil, refused.isEmpty ? "Most or all are good." : "Refused within an hour: \(words)\(last)")
    }

    /// The alarm of apps whose key the store refuses. It refuses every key if the clock is wrong.
    package static func refusedKeys(of condition: StoreCondition, _ store: String) -> Alarm {
        let apps = condition.refusedKeys.keys.sorted()
        let names = apps.prefix(3).map(\.text) + (apps.count > 3 ? ["…"] : [])
        let delay = minutes(condition.clockDelay).map { "; this machine's clock is \($0) behind" } ?? ""
        let lead = minutes(condition.clockLead).map { "; this machine's clock is \($0) ahead" } ?? ""
        return Alarm(
            .storeRefusesKey, isBad: !apps.isEmpty, count: apps.count, since: condition.refusedKeys.values.min(),
            apps.isEmpty
                ? "The \(store) takes it, as far as it was asked."
                : "The \(store) refuses the key of \(names.joined(separator: ", "))\(delay)\(lead)")
    }

    /// The alarm of a clock that is behind: what is signed later than it says cannot be judged.
    package static func clock(of condition: StoreCondition, _ store: String) -> Alarm {
        let delay = minutes(condition.clockDelay)
        return Alarm(
            .clockBehind, isBad: delay != nil,
            count: delay == nil ? 0 : Int(clamping: (condition.clockDelay / 60).rounded(.down)), since: nil,
            delay.map { "It is \($0) behind the \(store)'s." } ?? "Not behind the \(store)'s, as far as it was asked.")
    }

    /// The minutes by which a clock is wrong, in words; `nil` if it is right enough.
    private static func minutes(_ seconds: TimeInterval) -> String? {
        guard seconds >= Overview.maximumClockDelay else { return nil }
        return Int(clamping: (seconds / 60).rounded(.down)).counted("minute")
    }

    /// - Parameter outage: `nil` if the ledger can be written, as far as is known.
    package static func notWritable(_ outage: LedgerWrites.Outage?) -> Alarm {
        Alarm(
            .ledgerNotWritable, isBad: outage != nil, count: outage == nil ? 0 : 1, since: outage?.since,
            outage.map { "Nothing can be written: \($0.detail)" } ?? "It can be written.")
    }

    package static func refusal(_ refusal: LiveCatalog.Refusal?) -> Alarm {
        Alarm(
            .catalogRefused, isBad: refusal != nil, count: refusal == nil ? 0 : 1, since: refusal?.date,
            refusal?.error ?? "Served as it is.")
    }

    static func missing(_ bundles: [MissingBundle]) -> Alarm {
        let names = bundles.prefix(3).map { "\($0.bundle) of \($0.owner)" } + (bundles.count > 3 ? ["…"] : [])
        return Alarm(
            .contentMissing, isBad: !bundles.isEmpty, count: bundles.count, since: nil,
            bundles.isEmpty ? "Every bundle in the catalog is there." : names.joined(separator: ", "))
    }

    /// - Parameter problems: those of the content folder or the bucket, the first of many.
    static func rejected(_ problems: [ContentError]) -> Alarm {
        Alarm(
            .contentRejected, isBad: !problems.isEmpty, count: problems.count, since: nil,
            problems.first?.description ?? "Served as it is.")
    }

    private init(_ kind: Kind, isBad: Bool, count: Int, since: Date?, _ detail: String) {
        self.init(kind: kind, level: isBad ? .bad : .good, count: count, since: since, detail: detail)
    }
}
