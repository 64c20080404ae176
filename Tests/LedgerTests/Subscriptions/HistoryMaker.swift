import Foundation
import InAppPurchase
import TestSupport

/// One copy of a transaction, and who may present it without changing its owner.
struct Piece: Sendable {
    var copy: Transaction
    var senders: [UInt8]
}

/// Makes purchases of all four types by accounts 1 and 2, as the store signs them over time.
///
/// A purchase whose copies name their account may be presented by both, since old evidence takes no purchase from the
/// account that a token names; the others only by their owner.
struct HistoryMaker {
    /// Long after anything was signed.
    static let present = day(200)

    private(set) var pieces: [Piece] = []
    /// The state that each account must have in the end.
    private(set) var credits: [UInt8: Credits] = [1: [:], 2: [:]]
    private var lastID = 0

    /// - Parameter hasCopies: whether periods of subscriptions come under several IDs, and with several seats, too.
    init(using generator: inout SeededGenerator, hasCopies: Bool = true) {
        for _ in 0..<Int.random(in: 1...7, using: &generator) {
            let owner = generator.pick(1, UInt8(2))
            let isNamed = generator.flip()
            let transactions =
                generator.flip()
                ? subscription(hasSeats: hasCopies, using: &generator) : purchase(using: &generator)
            for transaction in transactions {
                var transaction = transaction
                transaction.appAccountToken = isNamed ? account(owner).uuid : nil
                let isRevoked = generator.pick(false, false, true)
                if !isRevoked { credit(owner, for: transaction) }
                let senders = isNamed ? [1, 2] : [owner]
                guard hasCopies, transaction.expirationDate != nil else {
                    add(transaction, isRevoked: isRevoked, senders: senders, using: &generator)
                    continue
                }
                // Before their period is known.
                for number in 0..<generator.pick(0, 0, 1, 3) {
                    let seats = seats(number, addedTo: transaction, isRevoked: isRevoked, using: &generator)
                    add(seats, isRevoked: generator.pick(false, false, true), senders: senders, using: &generator)
                }
                add(
                    copies(of: transaction, using: &generator), isRevoked: isRevoked, senders: senders,
                    using: &generator)
            }
        }
    }

    private mutating func nextID() -> TransactionID {
        lastID += 1
        return "\(lastID)"
    }

    private mutating func purchase(using generator: inout SeededGenerator) -> [Transaction] {
        let product: ProductID = generator.pick("hints", "words", "starter", "night")
        let original = bought(
            product, nextID(), on: day(Int.random(in: 0..<60, using: &generator)),
            quantity: product == "starter" ? 1 : Int.random(in: 1...3, using: &generator))
        guard product == "starter", generator.flip() else { return [original] }
        return [original, bought(product, nextID(), original: original.id, on: original.purchaseDate)]
    }

    private mutating func subscription(hasSeats: Bool, using generator: inout SeededGenerator) -> [Transaction] {
        let product: ProductID = generator.pick("club.month", "club.year")
        let first = Int.random(in: 0..<60, using: &generator)
        var line: TransactionID?
        return (0..<Int.random(in: 1...3, using: &generator)).map { period in
            let id = nextID()
            let start = first + 30 * period
            line = line ?? id
            return bought(
                product, id, original: line, on: day(start), until: day(start + 30),
                quantity: hasSeats ? generator.pick(1, 1, 5) : 1)
        }
    }

    /// A period under one to three IDs, with and without Apple's ID of the period. App receipts have dates in seconds.
    private mutating func copies(of period: Transaction, using generator: inout SeededGenerator) -> [Transaction] {
        let ids = [period.id] + (0..<generator.pick(0, 0, 1, 2)).map { _ in nextID() }
        return ids.map { copy(of: period, $0, item: "w\(period.id)", using: &generator) }
    }

    /// Seats that were added to a period before it ended or was refunded, under one or two IDs.
    private mutating func seats(
        _ number: Int, addedTo period: Transaction, isRevoked: Bool, using generator: inout SeededGenerator
    ) -> [Transaction] {
        let seconds = isRevoked ? 1_800 + 60 * number : 86_400 * (9 * number + generator.pick(1, 5, 9)) - 3_600
        var seats = period
        seats.purchaseDate += TimeInterval(seconds)
        let ids = [nextID()] + (0..<generator.pick(0, 0, 1)).map { _ in nextID() }
        let item = generator.pick("w\(period.id)", "w\(ids[0])")
        return ids.enumerated().map { place, id in
            copy(of: seats, id, item: item, isSeats: place == 0, using: &generator)
        }
    }

    /// The App Store says of every transaction of a period with more seats that seats were added; app receipts do not.
    private func copy(
        of period: Transaction, _ id: TransactionID, item: String, isSeats: Bool = false,
        using generator: inout SeededGenerator
    ) -> Transaction {
        var copy = period
        copy.id = id
        copy.purchaseDate += generator.pick(0, 0.25)
        var details = PurchaseDetails()
        details.webOrderLineItemID = generator.pick(nil, item)
        details.additionalReason = isSeats ? "SEAT_ADDITION" : generator.pick(nil, "SEAT_ADDITION")
        copy.details = details.nonEmpty
        return copy
    }

    /// A refund is on one of the copies.
    private mutating func add(
        _ copies: [Transaction], isRevoked: Bool, senders: [UInt8], using generator: inout SeededGenerator
    ) {
        let refunded = copies.indices.randomElement(using: &generator)
        for (place, copy) in copies.enumerated() {
            add(copy, isRevoked: isRevoked && place == refunded, senders: senders, using: &generator)
        }
    }

    /// Signed one to three times, perhaps once more without a signature; a refund is on the last copy.
    private mutating func add(
        _ transaction: Transaction, isRevoked: Bool, senders: [UInt8], using generator: inout SeededGenerator
    ) {
        var copy = transaction
        for days in 0..<Int.random(in: 1...3, using: &generator) {
            copy.signedDate = transaction.purchaseDate.addingTimeInterval(Double(days) * 86_400)
            copy.isSigned = true
            pieces.append(Piece(copy: copy, senders: senders))
        }
        copy.isSigned = !generator.flip()
        copy.signedDate += 3_600
        if isRevoked { copy.revocation = Transaction.Revocation(date: copy.signedDate, reason: 1) }
        pieces.append(Piece(copy: copy, senders: senders))
    }

    private mutating func credit(_ owner: UInt8, for transaction: Transaction) {
        let rates: [ProductID: (Currency, Int)] = [
            "hints": ("hints", 10), "starter": ("hints", 3), "club.month": ("gems", 7), "club.year": ("gems", 90),
        ]
        let isRestored = transaction.expirationDate == nil && transaction.id != transaction.originalID
        guard !isRestored, let (currency, amount) = rates[transaction.productID] else { return }
        credits[owner, default: [:]][currency, default: 0] += amount * transaction.units
    }

    /// The pieces shuffled, some twice, in receipts as accounts may send them.
    func receipts(using generator: inout SeededGenerator) -> [(by: UInt8, copies: [Transaction])] {
        let all = (pieces + pieces.filter { _ in generator.flip() }).shuffled(using: &generator)
        return all.reduce(into: []) { receipts, piece in
            let sender = piece.senders.randomElement(using: &generator) ?? 1
            if let last = receipts.last, last.by == sender, generator.flip() {
                receipts[receipts.count - 1].copies.append(piece.copy)
            } else {
                receipts.append((sender, [piece.copy]))
            }
        }
    }
}
