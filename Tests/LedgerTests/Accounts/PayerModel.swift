import Foundation

/// The rules of purchases, payments and claims once more, as plainly as they can be stated: everything is computed anew
/// from what is known of one subscription, period by period.
struct PayerModel {
    /// A decision that made an account the owner, or confirmed it.
    private struct Claim {
        var account: UInt8
        var date: Date
        /// The newest period that was shown; `nil` for what an administrator gave.
        var period: Int?
        var isFirst: Bool
    }

    let periods: [PayerHistory.Period]
    private var known: [Int: [PayerHistory.Copy]] = [:]
    private var claims: [Claim] = []
    private var tokensSet: [(account: UInt8, date: Date)] = []
    /// The dates when claims and administrators moved it.
    private var moves: [Date] = []
    private var credited: [Int: UInt8] = [:]
    private var reported: [Int: Set<UInt8>] = [:]

    init(_ periods: [PayerHistory.Period]) { self.periods = periods }

    // MARK: Who owns it

    /// The token of the earliest signed copy that has one. What the server had set by then, by clocks that may differ
    /// by a minute, is none in what began before, and in renewals.
    private func token(of period: Int) -> UInt8? {
        let named = (known[period] ?? []).filter { $0.isSigned && $0.token != nil }
        guard let first = named.min(by: { $0.date < $1.date }) else { return nil }
        let isSet = tokensSet.contains {
            $0.account == first.token && $0.date - 60 < first.date
                && (periods[period].start < $0.date || periods[period].isRenewal)
        }
        return isSet ? nil : first.token
    }

    /// The periods that were paid by another account than the one before.
    private var payments: [(period: Int, account: UInt8)] {
        var found: [(period: Int, account: UInt8)] = []
        for period in periods.indices {
            guard let token = token(of: period), found.last?.account != token else { continue }
            found.append((period, token))
        }
        return found
    }

    /// The owners until a date, each with whether an administrator decided it.
    private func owners(until date: Date = .distantFuture) -> [(account: UInt8, isGiven: Bool)] {
        let paid = payments
        let ofPayments = paid.map { (date: periods[$0.period].start, claim: Claim?.none, payment: $0) }
        let ofClaims = claims.map { (date: $0.date, claim: Optional($0), payment: (period: -1, account: UInt8(0))) }
        var owners: [(account: UInt8, isGiven: Bool)] = []
        if let first = paid.first?.account ?? claims.first?.account { owners.append((first, false)) }
        var newest: (period: Int, account: UInt8)?
        for event in (ofPayments + ofClaims).sorted(by: { $0.date < $1.date }) where event.date <= date {
            guard let claim = event.claim else {
                newest = event.payment
                owners.append((event.payment.account, false))
                continue
            }
            guard let period = claim.period else {
                owners.append((claim.account, true))
                continue
            }
            if let newest, newest.account != claim.account {
                guard claim.isFirst ? period > newest.period : period >= newest.period else { continue }
            }
            owners.append((claim.account, owners.last?.isGiven ?? false))
        }
        return owners
    }

    var owner: UInt8? { owners().last?.account }
    var isKnown: Bool { !known.isEmpty }

    /// The owners, of which none is that before.
    private var moved: [UInt8] { owners().map(\.account).reduce(into: []) { if $0.last != $1 { $0.append($1) } } }

    /// The account to which an administrator moves it back; `nil` if to nobody.
    var former: UInt8? {
        let moved = moved
        guard moved.count > 1 else { return nil }
        let isMovedBack = owners().last?.isGiven == true && moved.suffix(3).first == moved.last && moved.count > 2
        return isMovedBack ? nil : moved[moved.count - 2]
    }

    // MARK: What happens

    mutating func receive(_ copies: [PayerHistory.Copy]) {
        for copy in copies { known[copy.period, default: []].append(copy) }
        credit()
    }

    mutating func give(to account: UInt8, on date: Date) {
        if let owner, owner != account { moves.append(date) }
        claims.append(Claim(account: account, date: date, period: nil, isFirst: false))
        credit()
    }

    mutating func setToken(_ account: UInt8, on date: Date) {
        tokensSet.append((account, date))
        credit()
    }

    /// An account shows copies in bytes that were signed just now.
    ///
    /// - Returns: whether the subscription is its own then.
    mutating func claim(
        _ copies: [PayerHistory.Copy], by account: UInt8, isForDevice: Bool, mayTransfer: Bool, on date: Date
    ) -> Bool {
        let waiting = owner == nil ? Set(known.keys).subtracting(copies.map(\.period)) : []
        receive(copies)
        guard let shown = copies.map(\.period).max() else { return false }
        let owner = owner
        if let owner, owner != account {
            guard mayTransfer, isMovable(to: account, shown, isForDevice: isForDevice, on: date) else { return false }
            moves.append(date)
        }
        // What waited for an owner is in the balance that the first one is told.
        for period in waiting where owner == nil && isDelivered(period) { deliver(period, to: account) }
        if !repeatsLast(shown, by: account) {
            claims.append(Claim(account: account, date: date, period: shown, isFirst: owner == nil))
        }
        credit()
        return true
    }

    /// Whether the account was the last that claimed or was given it, and shows nothing newer, which decides nothing.
    private func repeatsLast(_ shown: Int, by account: UInt8) -> Bool {
        guard let last = claims.last, last.account == account, owner == account else { return false }
        return periods[shown].start <= (last.period.map { periods[$0].start } ?? last.date)
    }

    private func isMovable(to account: UInt8, _ shown: Int, isForDevice: Bool, on date: Date) -> Bool {
        let isGiven = owners().last?.isGiven ?? false
        guard !isGiven, moves.count(where: { date.timeIntervalSince($0) < 365 * 86_400 }) < 3 else { return false }
        guard let payment = payments.last else { return true }
        return shown >= payment.period && (payment.account == account || isForDevice)
    }

    private func isDelivered(_ period: Int) -> Bool {
        let isUpgraded = (known[period] ?? []).contains(where: \.isUpgraded)
        return !isUpgraded && max(refunded(period), left(period)) < periods[period].gems
    }

    mutating func deliver(_ period: Int, to account: UInt8) { reported[period, default: []].insert(account) }

    // MARK: What it brings

    /// A period credits its owner at its date, and one that nobody was told of changes with what is known.
    private mutating func credit() {
        for period in known.keys {
            guard let owner = owners(until: periods[period].start).last?.account else { continue }
            let former = credited[period]
            if former == nil || !(reported[period] ?? []).contains(former ?? 0) { credited[period] = owner }
        }
    }

    func gems(of account: UInt8) -> Int {
        credited.filter { $0.value == account }.keys.reduce(0) { sum, period in
            sum + periods[period].gems - max(refunded(period), left(period))
        }
    }

    /// The newest statement about the refund counts. A copy without one states something only under an ID that was
    /// named refunded, which a reversal says, too.
    private func refunded(_ period: Int) -> Int {
        let copies = known[period] ?? []
        let named = Set(copies.filter { $0.statement != .nothing }.map(\.id))
        let statements = copies.filter { $0.isSigned && named.contains($0.id) }
        guard case .refund(let share)? = statements.max(by: { $0.date < $1.date })?.statement else { return 0 }
        // To the nearest whole number, halves for the player.
        return (2 * periods[period].gems * (share ?? 100_000) + 99_999) / 200_000
    }

    /// The share of the time from the first later period of the other product on, of the end as last stated before.
    private func left(_ period: Int) -> Int {
        let (paid, copies) = (periods[period], known[period] ?? [])
        guard let end = copies.map(\.end).max(), !(paid.isFree && copies.contains(where: \.isSigned)) else { return 0 }
        let later = known.keys.map { periods[$0] }.filter {
            $0.product != paid.product && $0.start > paid.start && $0.start <= end - 60
        }
        guard let left = later.map(\.start).min() else { return 0 }
        return Int(Double(paid.gems) * end.timeIntervalSince(left) / end.timeIntervalSince(paid.start))
    }
}
