@testable import QuartermasterClient

extension HTTPTimeouts {
    /// Longer than a busy machine keeps a request waiting: a request that is given up is sent again, and is then two.
    static let patient = Self(idle: .seconds(240), exchange: .seconds(300))
}
