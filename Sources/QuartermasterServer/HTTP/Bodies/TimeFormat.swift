import Foundation
import InAppPurchase

/// The precision of the times in a JSON body.
enum TimeFormat: Sendable {
    /// The precision for apps, since the decoders that apps use refuse fractions. Rounded down; the end of a time span
    /// is rounded up, so that no app considers something over that still lasts.
    case wholeSeconds
    case milliseconds

    /// The RFC 3339 form.
    ///
    /// - Parameter key: the name of the member that has the date. Members that end a time span are called `until` or
    ///   `…Until`.
    func text(of date: Date, key: String? = nil) -> String {
        switch self {
        case .milliseconds: date.rfc3339
        case .wholeSeconds:
            key == "until" || key?.hasSuffix("Until") == true
                ? date.roundedUpToSeconds.rfc3339 : date.roundedDownToSeconds.rfc3339
        }
    }
}

extension Date {
    /// The last whole second that is not after the date. A date that RFC 3339 cannot express stays as it is.
    var roundedDownToSeconds: Date {
        let instant = milliseconds
        guard Self.writableMilliseconds.contains(instant) else { return self }
        let rest = instant % 1000
        return Date(milliseconds: instant - (rest < 0 ? rest + 1000 : rest))
    }

    /// The first whole second that is not before the date; the last one that RFC 3339 can express, if that is earlier.
    fileprivate var roundedUpToSeconds: Date {
        let down = roundedDownToSeconds
        guard down.milliseconds < milliseconds else { return self }
        let up = down.addingTimeInterval(1)
        return Self.writableMilliseconds.contains(up.milliseconds) ? up : down
    }
}
