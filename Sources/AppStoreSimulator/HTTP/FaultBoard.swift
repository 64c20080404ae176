/// The faults in force, one for each path. Not stored with the purchases: a restart removes them.
actor FaultBoard {
    /// The maximum number of faults; more than there are endpoints.
    static let length = 64

    struct Refusal: Error {}

    private var faults: [Fault] = []

    /// Adds a fault, in place of one for the same path.
    ///
    /// - Throws: ``Refusal``.
    func post(_ fault: Fault) throws {
        faults.removeAll { $0.path == fault.path }
        guard faults.count < Self.length else { throw Refusal() }
        faults.append(fault)
    }

    func clear() { faults = [] }

    /// The fault for a call to `path`, which is counted; if there are several, that of the longest path.
    func consume(_ path: String) -> Fault? {
        let fitting = faults.indices.filter { faults[$0].applies(to: path) }
        guard let index = fitting.max(by: { faults[$0].length < faults[$1].length }) else { return nil }
        let current = faults[index]
        if let count = current.count {
            if count > 1 { faults[index].count = count - 1 } else { faults.remove(at: index) }
        }
        return current
    }
}
