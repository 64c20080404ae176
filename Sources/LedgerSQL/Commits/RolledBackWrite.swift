/// The end of a write whose changes are only to be looked at; thrown so that they are rolled back.
struct RolledBackWrite<Result: Sendable>: Error {
    let result: Result
}
