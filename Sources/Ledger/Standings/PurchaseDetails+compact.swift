import Foundation
import InAppPurchase

/// The form in which the ledger stores them with the newest purchase of a condensed history.
extension PurchaseDetails {
    private static var texts: [WritableKeyPath<Self, String?>] {
        [
            \.currency, \.storefront, \.storefrontID, \.reason, \.webOrderLineItemID, \.appTransactionID, \.appVersion,
            \.originalAppVersion, \.orderID, \.additionalReason, \.billingPlan,
        ]
    }

    init(from reader: inout CompactReader) throws {
        self.init()
        var flags = try reader.readFlags()
        if flags.next() { isTrialPeriod = flags.next() } else { _ = flags.next() }
        if flags.next() { isIntroductoryPeriod = flags.next() } else { _ = flags.next() }
        if flags.next() { price = try reader.readNumber() }
        if flags.next() { offer = try PurchaseOffer(from: &reader) }
        if flags.next() { revocation = try RevocationDetails(from: &reader) }
        for text in Self.texts where flags.next() { self[keyPath: text] = try reader.readText() }
        if flags.next() { seats = try SeatDetails(from: &reader) }
        if flags.next() { commitment = try CommitmentDetails(from: &reader) }
    }

    func write(to writer: inout CompactWriter) {
        writer.write(
            [
                isTrialPeriod != nil, isTrialPeriod ?? false, isIntroductoryPeriod != nil,
                isIntroductoryPeriod ?? false, price != nil, offer != nil, revocation != nil,
            ] + Self.texts.map { self[keyPath: $0] != nil } + [seats != nil, commitment != nil])
        if let price { writer.write(price) }
        offer?.write(to: &writer)
        revocation?.write(to: &writer)
        for text in Self.texts.compactMap({ self[keyPath: $0] }) { writer.write(text) }
        seats?.write(to: &writer)
        commitment?.write(to: &writer)
    }
}

extension SeatDetails {
    fileprivate init(from reader: inout CompactReader) throws {
        var has = try reader.readFlags()
        self.init(
            invitations: has.next() ? try reader.readText() : nil, revoked: has.next() ? try reader.readNumber() : nil)
    }

    fileprivate func write(to writer: inout CompactWriter) {
        writer.write([invitations != nil, revoked != nil])
        if let invitations { writer.write(invitations) }
        if let revoked { writer.write(revoked) }
    }
}

extension CommitmentDetails {
    fileprivate init(from reader: inout CompactReader) throws {
        var has = try reader.readFlags()
        self.init(
            period: has.next() ? try reader.readNumber() : nil, periods: has.next() ? try reader.readNumber() : nil,
            price: has.next() ? try reader.readNumber() : nil, end: has.next() ? try reader.readDate() : nil)
    }

    fileprivate func write(to writer: inout CompactWriter) {
        writer.write([period != nil, periods != nil, price != nil, end != nil])
        for number in [period, periods, price].compactMap(\.self) { writer.write(number) }
        if let end { writer.write(end) }
    }
}

extension PurchaseOffer {
    fileprivate init(from reader: inout CompactReader) throws {
        var has = try reader.readFlags()
        self.init(
            type: has.next() ? try reader.readNumber() : nil, id: has.next() ? try reader.readText() : nil,
            discountType: has.next() ? try reader.readText() : nil, period: has.next() ? try reader.readText() : nil)
    }

    fileprivate func write(to writer: inout CompactWriter) {
        writer.write([type != nil, id != nil, discountType != nil, period != nil])
        if let type { writer.write(type) }
        for text in [id, discountType, period].compactMap(\.self) { writer.write(text) }
    }
}

extension RevocationDetails {
    fileprivate init(from reader: inout CompactReader) throws {
        var has = try reader.readFlags()
        self.init(
            date: try reader.readDate(), reason: has.next() ? try reader.readNumber() : nil,
            type: has.next() ? try reader.readText() : nil)
    }

    fileprivate func write(to writer: inout CompactWriter) {
        writer.write([reason != nil, type != nil])
        writer.write(date)
        if let reason { writer.write(reason) }
        if let type { writer.write(type) }
    }
}
