import Foundation
import InAppPurchase

/// The facts that an account is told of one product of a history, apart from the handler's answer.
struct CondensedProduct: Encodable, Hashable, Sendable {
    let product: ProductID
    /// The latest purchase that the account owns or owned, or that credited it.
    private(set) var latest: PurchaseStamp
    /// The latest purchase that the account owns; `nil` if it owns none.
    private(set) var own: PurchaseStamp?
    /// The newest purchase that the account owns and that was not upgraded, without the members that no answer has.
    private(set) var newest: Transaction?
    /// The end of the last period that credited the account and that it does not own any more; `Date.distantFuture`
    /// of what does not end. `nil` if there is none.
    private(set) var formerEnd: Date?
    /// The bundles that own purchases named, in their order.
    private(set) var bundles: [NamedBundle] = []
    /// Whether an own purchase has terms that keep access to what was published meanwhile.
    private(set) var keeps = false
    /// The times that they keep; see ``RetainedTimes``.
    var retained: [RetainedTime] = []

    init(_ first: RecordedTransaction, of account: AccountID) {
        product = first.transaction.productID
        latest = PurchaseStamp(first.transaction)
        add(first, of: account)
    }

    /// Adds a purchase, in any order.
    mutating func add(_ record: RecordedTransaction, of account: AccountID) {
        let (transaction, stamp) = (record.transaction, PurchaseStamp(record.transaction))
        if stamp.isLater(than: latest) { latest = stamp }
        guard record.owner == account else {
            if record.creditedTo == account { formerEnd = max(record.end, formerEnd ?? record.end) }
            return
        }
        if own.map(stamp.isLater) ?? true { own = stamp }
        if !transaction.isUpgraded, newest.map({ ($0.purchaseDate, $0.id) < (stamp.date, stamp.id) }) ?? true {
            newest = transaction.stored
        }
        keeps = keeps || record.terms?.afterExpiry == .keep
        for (position, bundle) in (record.terms?.bundles ?? []).enumerated() {
            name(NamedBundle(bundle: bundle, date: stamp.date, id: stamp.id, position: position))
        }
    }

    private mutating func name(_ named: NamedBundle) {
        if let index = bundles.firstIndex(where: { $0.bundle == named.bundle }) {
            guard named.order < bundles[index].order else { return }
            bundles.remove(at: index)
        }
        let position = bundles.firstIndex { named.order < $0.order } ?? bundles.endIndex
        bundles.insert(named, at: position)
    }

    /// Takes the newer signature of a purchase that is otherwise unchanged.
    ///
    /// - Returns: whether anything changed.
    mutating func sign(_ transaction: Transaction) -> Bool {
        guard newest?.id == transaction.id, newest != transaction.stored else { return false }
        newest = transaction.stored
        return true
    }
}

/// The form in which the ledger stores it.
extension CondensedProduct {
    init(from reader: inout CompactReader, in scope: Scope) throws {
        var flags = try reader.readFlags()
        product = try reader.readIdentifier()
        latest = try PurchaseStamp(from: &reader)
        if flags.next() { own = flags.next() ? latest : try PurchaseStamp(from: &reader) } else { _ = flags.next() }
        if flags.next() { newest = try Transaction(from: &reader, of: product, in: scope) }
        keeps = flags.next()
        if flags.next() { bundles = try reader.readArray { try NamedBundle(from: &$0) } }
        if flags.next() { retained = try reader.readArray { try RetainedTime(from: &$0) } }
        if flags.next() { formerEnd = try reader.readDate() }
    }

    func write(to writer: inout CompactWriter) {
        writer.write([
            own != nil, own == latest, newest != nil, keeps, !bundles.isEmpty, !retained.isEmpty, formerEnd != nil,
        ])
        writer.write(product)
        latest.write(to: &writer)
        if let own, own != latest { own.write(to: &writer) }
        newest?.write(to: &writer)
        if !bundles.isEmpty { writer.write(bundles) { $1.write(to: &$0) } }
        if !retained.isEmpty { writer.write(retained) { $1.write(to: &$0) } }
        if let formerEnd { writer.write(formerEnd) }
    }
}

extension Transaction {
    /// The transaction as an account is told of it: of subscriptions also the offer and the price.
    fileprivate var stored: Transaction {
        copy(details: mayRenew ? details : nil, signedDate: mayRenew ? signedDate : nil, isSigned: mayRenew && isSigned)
    }

    /// The facts without what a later signature may change.
    var unsigned: Transaction { copy(details: details, signedDate: nil, isSigned: false) }

    private func copy(details: PurchaseDetails?, signedDate: Date?, isSigned: Bool) -> Transaction {
        Transaction(
            id: id, originalID: originalID, app: app, environment: environment, productID: productID,
            productType: productType, quantity: quantity, purchaseDate: purchaseDate,
            originalPurchaseDate: originalPurchaseDate, expirationDate: expirationDate, revocation: revocation,
            isUpgraded: isUpgraded, ownershipType: ownershipType, subscriptionGroupID: subscriptionGroupID,
            details: details, signedDate: signedDate ?? purchaseDate, isSigned: isSigned)
    }
}

/// A bundle that a product named at purchase, with the first purchase that did.
struct NamedBundle: Encodable, Hashable, Sendable {
    var bundle: BundleName
    var date: Date
    var id: TransactionID
    /// The place among the purchase's bundles.
    var position: Int

    var order: (Date, TransactionID, Int) { (date, id, position) }
}

/// The form in which the ledger stores it.
extension NamedBundle {
    init(from reader: inout CompactReader) throws {
        bundle = try reader.readIdentifier()
        date = try reader.readDate()
        id = try reader.readIdentifier()
        position = try reader.readNumber()
    }

    func write(to writer: inout CompactWriter) {
        writer.write(bundle)
        writer.write(date)
        writer.write(id)
        writer.write(position)
    }
}

/// The purchase that is the latest of a product in one role of the account.
struct PurchaseStamp: Encodable, Hashable, Sendable {
    var date: Date
    var id: TransactionID
    /// See ``/InAppPurchase/Transaction/provenType``.
    var type: ProductType?

    init(_ transaction: Transaction) {
        date = transaction.purchaseDate
        id = transaction.id
        type = transaction.provenType
    }

    /// Whether it comes after another one; of two at one moment the one with the smaller ID.
    func isLater(than other: Self) -> Bool { (date, other.id) > (other.date, id) }
}

/// The form in which the ledger stores it.
extension PurchaseStamp {
    init(from reader: inout CompactReader) throws {
        var has = try reader.readFlags()
        date = try reader.readDate()
        id = try reader.readIdentifier()
        type = has.next() ? ProductType(rawValue: try reader.readText()) : nil
    }

    func write(to writer: inout CompactWriter) {
        writer.write([type != nil])
        writer.write(date)
        writer.write(id)
        if let type { writer.write(type.rawValue) }
    }
}
