/// The framework's handlers of one connection, which are added to it when the first request needs them. To be used on
/// its event loop only.
final class ConnectionRoutes {
    private var add: (() throws -> Void)?
    private let end: () -> Void

    /// - Parameters:
    ///   - add: called at most once.
    ///   - end: called if the connection ends before `add` was called, or after it failed: nothing waits for the routes
    ///     any longer.
    init(adding add: @escaping () throws -> Void, orEnding end: @escaping () -> Void) {
        self.add = add
        self.end = end
    }

    var areOpen: Bool { add == nil }

    /// Adds the handlers. A second call does nothing.
    /// - Throws: an error if the pipeline is gone already.
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

    /// Called when the connection ends. Does nothing if the handlers were added, or ended.
    func close() {
        guard add != nil else { return }
        add = nil
        end()
    }
}
