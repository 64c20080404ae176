package import Foundation

/// The payments and decisions that made accounts the owners of an original transaction. The owners follow from them in
/// the order of time, so that facts of the App Store may arrive in any order.
package struct OwnershipHistory: Hashable, Sendable {
    /// The maximum number of payments; of more, the first and the newest are kept.
    package static let maximumPayments = 32
    /// The maximum number of assignments; of more, the first and the newest are kept.
    static let maximumAssignments = 16
    /// The maximum number of tokens that the server set; the newest are kept.
    static let maximumTokens = 8

    /// A period whose `appAccountToken` names another account than that of the nearest earlier period that has one.
    package struct Payment: Hashable, Sendable {
        /// The purchase date of the period.
        package var from: Date
        /// The account that the token names, whether it exists or not.
        package var account: AccountID

        package init(from: Date, account: AccountID) {
            self.from = from
            self.account = account
        }
    }

    /// The decision that made an account the owner, or confirmed it, besides a payment.
    package struct Assignment: Hashable, Sendable {
        package enum Basis: Int, Sendable {
            /// The account presented it while no token named any.
            case first
            /// The account's evidence transferred it, or the account presented what it owns.
            case claim
            /// An administrator gave it to the account.
            case administrator
            /// An earlier version recorded this owner, whatever the tokens say.
            case recorded
        }

        package var account: AccountID
        package var date: Date
        /// The purchase date of the newest period that the account presented.
        package var shown: Date
        package var basis: Basis
    }

    /// An owner from a date on.
    package struct Owner: Hashable, Sendable {
        package var from: Date
        package var account: AccountID
        package var basis: OriginalTransaction.Basis
    }

    /// The `appAccountToken` of a transaction.
    package struct Token: Hashable, Sendable {
        var date: Date
        /// The date when the App Store first stated it.
        var stated: Date
        var id: TransactionID
        var account: AccountID
        var isRenewal: Bool
        /// Whether it is of a period, so that it is a payment of its own; of other transactions the first counts.
        var isPeriod: Bool

        /// `nil` if the transaction names no account.
        package init?(_ transaction: Transaction, isPeriod: Bool) {
            guard let account = transaction.ownerToken else { return nil }
            // App receipts have whole seconds: whichever copy comes first, the payment begins with its period.
            date = Date(milliseconds: transaction.purchaseDate.milliseconds / 1_000 * 1_000)
            stated = transaction.ownerTokenStatedDate
            id = transaction.id
            self.account = account
            isRenewal = transaction.details?.reason == PurchaseDetails.renewalReason
            self.isPeriod = isPeriod && transaction.ownershipType == .purchased
        }
    }

    /// Oldest first.
    package private(set) var payments: [Payment] = []
    /// In the order in which they were recorded.
    package private(set) var assignments: [Assignment] = []
    /// The accounts that the server named at the store, and since when.
    private(set) var tokensSet: [Payment] = []
    /// The date of the newest token.
    private(set) var lastToken: Date?

    package init() {}

    // MARK: What the App Store says

    /// Adds the tokens of transactions, in any order. What the server set at the store itself is no payment.
    ///
    /// - Parameter all: the tokens of all recorded transactions; asked for only if one of the new tokens is not the
    ///   latest.
    /// - Returns: the date from which owners may be others than before; `nil` if there is none.
    package mutating func add(_ tokens: [Token], all: () throws -> [Token]) rethrows -> Date? {
        let before = payments
        for token in tokens.filter(counts).sorted(by: { $0.isEarlier(than: $1) }) {
            guard let lastToken, token.date <= lastToken || !token.isPeriod else {
                append(token)
                continue
            }
            guard paid(at: token.date)?.account != token.account, token.isPeriod || token.isEarlier(than: payments)
            else { continue }
            (payments, self.lastToken) = ([], nil)
            let known = (tokens + (try all())).filter(counts).sorted { $0.isEarlier(than: $1) }
            for token in known { append(token) }
            break
        }
        let same = zip(before, payments).prefix { $0 == $1 }.count
        // The first payment says who owned it from the beginning.
        if same == 0, before != payments { return .distantPast }
        return [before, payments].compactMap { $0.dropFirst(same).first?.from }.min()
    }

    private mutating func append(_ token: Token) {
        guard token.isPeriod || payments.isEmpty else { return }
        lastToken = max(token.date, lastToken ?? token.date)
        guard payments.last?.account != token.account else { return }
        payments.append(Payment(from: token.date, account: token.account))
        if payments.count > Self.maximumPayments { payments.remove(at: 1) }
    }

    private func counts(_ token: Token) -> Bool {
        !tokensSet.contains { set in
            set.account == token.account && token.stated > set.from - Transaction.clockLeeway
                && (token.isRenewal || token.date < set.from)
        }
    }

    private func paid(at date: Date) -> Payment? { payments.last { $0.from <= date } }

    /// Adds that the server named an account at the store.
    package mutating func setToken(_ account: AccountID, at date: Date) {
        tokensSet.append(Payment(from: date, account: account))
        tokensSet = tokensSet.suffix(Self.maximumTokens)
    }

    // MARK: What the server decided

    /// Adds what made an account the owner or, if it is the owner, what it presented.
    ///
    /// - Parameter shown: the purchase date of the newest period that it presented.
    package mutating func assign(_ account: AccountID, at date: Date, shown: Date, as basis: Assignment.Basis) {
        let new = Assignment(account: account, date: date, shown: shown, basis: basis)
        guard basis == .claim, let last = assignments.last, last.account == account else { return append(new) }
        if shown > last.shown || !confirms(new, last) { append(new) }
    }

    /// Removes the owner that an earlier version recorded whatever the tokens say.
    ///
    /// - Returns: whether there is one.
    package mutating func removeRecorded() -> Bool {
        let count = assignments.count
        assignments.removeAll { $0.basis == .recorded }
        return assignments.count < count
    }

    private mutating func append(_ assignment: Assignment) {
        assignments.append(assignment)
        guard assignments.count > Self.maximumAssignments else { return }
        let neighbours = zip(assignments.indices.dropFirst().dropLast(), zip(assignments, assignments.dropFirst()))
        let repeated = neighbours.first { _, pair in confirms(pair.1, pair.0) }?.0
        assignments.remove(at: repeated ?? 1)
    }

    /// Whether an account presented again what was its own already, so that nothing follows from it.
    private func confirms(_ assignment: Assignment, _ earlier: Assignment) -> Bool {
        guard assignment.basis == .claim, assignment.account == earlier.account else { return false }
        return !payments.contains {
            ($0.from > earlier.shown || earlier.basis == .first && $0.from == earlier.shown)
                && $0.from <= max(assignment.date, assignment.shown)
        }
    }

    // MARK: Two histories that are one

    /// Adds the decisions about an original transaction that turned out to be the same one. Of two accounts that each
    /// presented it while no token named any, the earlier was first, and the later could have claimed nothing.
    package mutating func join(_ other: OwnershipHistory) {
        tokensSet = (tokensSet + other.tokensSet).sorted { $0.from < $1.from }.suffix(Self.maximumTokens)
        let all = (assignments + other.assignments).enumerated()
            .sorted { ($0.element.date, $0.offset) < ($1.element.date, $1.offset) }.map(\.element)
        assignments = []
        for assignment in all where assignment.basis != .first || assignments.isEmpty { append(assignment) }
    }

    /// Replaces the payments by those of all recorded tokens.
    package mutating func setTokens(_ tokens: [Token]) {
        (payments, lastToken) = ([], nil)
        for token in tokens.filter(counts).sorted(by: { $0.isEarlier(than: $1) }) { append(token) }
    }

    // MARK: The owners

    /// The owners in the order of time, the first of them from the beginning.
    ///
    /// - Parameter living: the account that each token names; one that is missing names none.
    package func owners(_ living: [AccountID: AccountID]) -> [Owner] {
        let paid = payments(living)
        var owners: [Owner] = []
        if let first = paid.first {
            owners.append(Owner(from: .distantPast, account: first.account, basis: .token))
        } else if let first = assignments.first {
            owners.append(Owner(from: .distantPast, account: first.account, basis: first.basis.ofOwner ?? .presented))
        }
        var rest = paid[...]
        for assignment in assignments {
            let date = max(assignment.date, assignment.shown)
            while let next = rest.first, next.from <= date {
                owners.append(Owner(from: next.from, account: next.account, basis: .token))
                rest.removeFirst()
            }
            guard assignment.counts(after: paid.last { $0.from <= date }) else { continue }
            let basis = assignment.basis.ofOwner ?? owners.last?.basis ?? .presented
            owners.append(Owner(from: date, account: assignment.account, basis: basis))
        }
        return owners + rest.map { Owner(from: $0.from, account: $0.account, basis: .token) }
    }

    /// The payments that name a living account other than that of the payment before.
    package func payments(_ living: [AccountID: AccountID]) -> [Payment] {
        var (found, before): ([Payment], AccountID?) = ([], nil)
        for payment in payments {
            let account = living[payment.account]
            if let account, account != before { found.append(Payment(from: payment.from, account: account)) }
            before = account
        }
        return found
    }
}

extension [OwnershipHistory.Owner] {
    /// The owner at a date.
    package func owner(at date: Date) -> AccountID? { last { $0.from <= date }?.account ?? first?.account }
}

extension OwnershipHistory.Assignment {
    /// Whether it makes the account the owner after a payment: a claim does if it shows what was paid, since an older
    /// period's copy proves nothing about a later one.
    fileprivate func counts(after payment: OwnershipHistory.Payment?) -> Bool {
        guard let payment, payment.account != account else { return true }
        return switch basis {
        case .administrator, .recorded: true
        case .claim: shown >= payment.from
        case .first: shown > payment.from
        }
    }
}

extension OwnershipHistory.Assignment.Basis {
    /// `nil` if the owner's basis is that of the one before.
    fileprivate var ofOwner: OriginalTransaction.Basis? {
        switch self {
        case .administrator: .administrator
        case .first, .claim, .recorded: nil
        }
    }
}

extension OwnershipHistory.Token {
    fileprivate func isEarlier(than other: Self) -> Bool { (date, id) < (other.date, other.id) }

    fileprivate func isEarlier(than payments: [OwnershipHistory.Payment]) -> Bool {
        payments.first.map { date < $0.from } ?? true
    }
}

/// The form in which the ledger stores it.
extension OwnershipHistory {
    package init(_ data: Data) throws {
        var reader = CompactReader(data)
        var has = try reader.readFlags()
        lastToken = has.next() ? try reader.readDate() : nil
        payments = try reader.readArray { try Payment(from: &$0) }
        assignments = try reader.readArray { try Assignment(from: &$0) }
        if has.next() { tokensSet = try reader.readArray { try Payment(from: &$0) } }
    }

    package var data: Data {
        var writer = CompactWriter()
        writer.write([lastToken != nil, !tokensSet.isEmpty])
        if let lastToken { writer.write(lastToken) }
        writer.write(payments) { $1.write(to: &$0) }
        writer.write(assignments) { $1.write(to: &$0) }
        if !tokensSet.isEmpty { writer.write(tokensSet) { $1.write(to: &$0) } }
        return writer.finishColumn()
    }
}

extension OwnershipHistory.Payment {
    fileprivate init(from reader: inout CompactReader) throws {
        from = try reader.readDate()
        account = try AccountID(from: &reader)
    }

    fileprivate func write(to writer: inout CompactWriter) {
        writer.write(from)
        writer.write(account.text)
    }
}

extension OwnershipHistory.Assignment {
    fileprivate init(from reader: inout CompactReader) throws {
        account = try AccountID(from: &reader)
        date = try reader.readDate()
        shown = try reader.readDate()
        guard let basis = Basis(rawValue: try reader.readNumber()) else { throw CompactError() }
        self.basis = basis
    }

    fileprivate func write(to writer: inout CompactWriter) {
        writer.write(account.text)
        writer.write(date)
        writer.write(shown)
        writer.write(basis.rawValue)
    }
}

extension AccountID {
    fileprivate init(from reader: inout CompactReader) throws {
        guard let id = Self(text: try reader.readText()) else { throw CompactError() }
        self = id
    }
}
