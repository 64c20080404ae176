import Foundation
import InAppPurchase
import ServerCore

extension JSONValue {
    /// The value on one line, with times as on every page.
    func words(_ visit: Visit) -> String {
        line { text in Date(rfc3339: text).map { visit.time($0).text } ?? text }
    }
}
