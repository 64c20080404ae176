package import LedgerPostgres

extension PostgresLimits {
    /// Limits for hundreds of tests at once on few processors: what takes a millisecond may take a minute.
    package static var patient: PostgresLimits {
        var limits = PostgresLimits()
        (limits.timeout, limits.lock, limits.idle) = (.seconds(180), .seconds(180), .seconds(180))
        (limits.writeStatement, limits.readStatement, limits.connect) = (.seconds(180), .seconds(180), .seconds(180))
        return limits
    }
}
