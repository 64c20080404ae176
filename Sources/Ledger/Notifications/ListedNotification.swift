package import Foundation
package import InAppPurchase

/// A notification as a list has it, without its content.
package struct ListedNotification: Hashable, Sendable {
    /// The position of a notification in the list, which is ordered by the date of recording.
    package struct Position: Hashable, Sendable {
        package var date: Date
        package var id: String

        package init(date: Date, id: String) {
            self.date = date
            self.id = id
        }
    }

    package var id: String
    package var type: String
    package var subtype: String?
    /// The app; `nil` if the notification names none.
    package var app: BundleID?
    package var environment: Environment?
    package var signedDate: Date
    package var recordedDate: Date
    /// The date when the store sent it to the server; `nil` if the server fetched it, since it had not come.
    package var deliveredDate: Date?
    /// The date when it was applied; `nil` if the store has still to be asked about it.
    package var appliedDate: Date?

    package init(
        id: String, type: String, subtype: String?, app: BundleID?, environment: Environment?, signedDate: Date,
        recordedDate: Date, deliveredDate: Date?, appliedDate: Date?
    ) {
        self.id = id
        self.type = type
        self.subtype = subtype
        self.app = app
        self.environment = environment
        self.signedDate = signedDate
        self.recordedDate = recordedDate
        self.deliveredDate = deliveredDate
        self.appliedDate = appliedDate
    }

    package var position: Position { Position(date: recordedDate, id: id) }
}
