/// The framework's part of one connection: added to it when the first request needs it. On its event loop only.
final class ConnectionRoutes {
    private var add: (() throws -> Void)?
    private let end: () -> Void

    /// - Parameters:
    ///   - add: called at most once.
    ///   - end: called instead of it, or after it failed: nobody waits for the routes any longer.
    init(adding add: @escaping () throws -> Void, orEnding end: @escaping () -> Void) {
        self.add = add
        self.end = end
    }

    var areOpen: Bool { add == nil }

    /// Does nothing the second time.
    /// - Throws: where the pipeline is gone already.
    func open() throws {
        guard let add else { return }
        self.add = nil
        do {
            try add()
        } catch {
            end()
            throw error
        }
    }

    /// With the connection. Does nothing where they are open, or ended.
    func close() {
        guard add != nil else { return }
        add = nil
        end()
    }
}
