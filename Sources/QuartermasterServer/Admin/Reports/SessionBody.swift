import Foundation
import Ledger

struct SessionBody: Encodable {
    var openedAt: Date
    var closedAt: Date?

    init(_ session: AccountReport.Session) {
        openedAt = session.openedAt
        closedAt = session.closedAt
    }
}
