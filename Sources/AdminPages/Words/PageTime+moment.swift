import InAppPurchase
import ServerCore

extension PageTime {
    var moment: Moment { Moment(text, datetime: date.rfc3339, distance: distance) }
}
