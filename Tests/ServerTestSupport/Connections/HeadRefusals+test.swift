import ServerCore
package import ServerHTTP

extension HeadRefusals {
    package static let test = HeadRefusals(
        ids: RequestIDs(systemRandomBytes), route: ServerMetrics().requests.route(nil),
        lines: RepeatedLines(clock: { World.start }, logger: World.quiet), logger: World.quiet)
}

extension UnsentBudget {
    /// A budget of one's own.
    package static var test: UnsentBudget {
        UnsentBudget(ClientAddresses(trusted: []), ended: ServerMetrics().unsentEnded)
    }
}
