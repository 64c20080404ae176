import Foundation
import InAppPurchase

/// A time whose published versions stay accessible after a subscription has ended.
struct RetainedTime: Encodable, Hashable, Sendable {
    var start: Date
    var end: Date
    /// The original transaction whose newest period this is: its grace period extends it; `nil` if there is none.
    var renewing: TransactionID?

    /// The range, extended by the grace period.
    func range(_ renewal: RenewalFacts?) -> Range<Date> {
        start..<max(start, end, renewal?.gracePeriodExpirationDate ?? end)
    }
}

/// The form in which the ledger stores it.
extension RetainedTime {
    init(from reader: inout CompactReader) throws {
        var has = try reader.readFlags()
        start = try reader.readDate()
        end = try reader.readDate()
        renewing = has.next() ? try reader.readIdentifier() : nil
    }

    func write(to writer: inout CompactWriter) {
        writer.write([renewing != nil])
        writer.write(start)
        writer.write(end)
        if let renewing { writer.write(renewing) }
    }
}
