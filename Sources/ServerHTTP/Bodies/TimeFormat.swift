package import Foundation
import InAppPurchase
import StrictJSON

/// The precision of the times in a JSON body.
package enum TimeFormat: Sendable {
    /// The precision for apps, since the decoders that apps use refuse fractions. Rounded down; the end of a time span
    /// is rounded up, so that no app considers something over that still lasts.
    case wholeSeconds
    case milliseconds

    /// The RFC 3339 form.
    ///
    /// - Parameter key: the name of the member that has the date. Members that end a time span are called `until` or
    ///   `…Until`.
    package func text(of date: Date, key: String? = nil) -> String {
        let isEnd = key == "until" || key?.hasSuffix("Until") == true
        return text(of: date, isEnd: isEnd)?.string ?? date.rfc3339
    }

    /// - Parameter isEnd: whether the date ends a time span.
    /// - Returns: `nil` for a date that RFC 3339 cannot express.
    fileprivate func text(of date: Date, isEnd: Bool) -> RFC3339Text? {
        let text = RFC3339Text(date)
        return switch self {
        case .milliseconds: text
        case .wholeSeconds: isEnd ? text?.roundedUp : text?.roundedDown
        }
    }
}

extension JSONWriter {
    /// Writes a member whose value is a date, without making a string of it first.
    ///
    /// - Parameter isEnd: whether the date ends a time span.
    package mutating func member(_ name: StaticString, _ date: Date?, _ times: TimeFormat, isEnd: Bool = false) {
        guard let date else { return }
        self.name(name)
        append(literal: "\"")
        append(date, times, isEnd: isEnd)
        append(literal: "\"")
    }

    /// Appends a date without quotes.
    package mutating func append(_ date: Date, _ times: TimeFormat, isEnd: Bool = false) {
        guard let text = times.text(of: date, isEnd: isEnd) else { return append(json: date.rfc3339.utf8) }
        append(upTo: RFC3339Text.maximumBytes, text.write)
    }
}
