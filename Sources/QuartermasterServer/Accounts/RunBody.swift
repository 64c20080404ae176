import Foundation

/// A run of a non-renewing subscription.
struct RunBody: Encodable {
    var from: Date
    var until: Date

    init(_ run: DateInterval) {
        from = run.start
        until = run.end
    }
}
