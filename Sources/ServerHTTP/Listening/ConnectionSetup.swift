package import NIOCore

/// Sets up the connections of a ``Listener``.
package protocol ConnectionSetup: Sendable {
    /// Adds the handlers of a connection that was accepted. Called on its event loop.
    ///
    /// - Parameter routed: runs what the routes need a task for.
    /// - Throws: an error that closes the connection.
    func begin(on channel: any Channel, _ routed: RoutedConnections) throws
}
