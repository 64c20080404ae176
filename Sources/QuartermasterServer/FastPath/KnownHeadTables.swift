import NIOCore
import Synchronization

/// The tables of known heads of one listener: one for each event loop, so that none is locked.
final class KnownHeadTables: Sendable {
    private let clients: ClientAddresses
    private let tables = Mutex<[ObjectIdentifier: NIOLoopBound<KnownHeads>]>([:])

    init(_ clients: ClientAddresses) { self.clients = clients }

    /// The table of an event loop, on which it must be called.
    func table(of loop: any EventLoop) -> KnownHeads {
        tables.withLock { tables in
            let key = ObjectIdentifier(loop)
            if let table = tables[key] { return table }
            let table = NIOLoopBound(KnownHeads(clients), eventLoop: loop)
            tables[key] = table
            return table
        }.value
    }
}
