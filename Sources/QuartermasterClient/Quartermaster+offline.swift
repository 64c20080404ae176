extension Quartermaster {
    /// Has every later request to the server fail as without a connection, until this is called with `false`: for players
    /// who want no network now. What is installed stays readable.
    public func setOffline(_ isOffline: Bool) async {
        api.transport.setOffline(isOffline)
        guard isOffline else { return await engine.retryNow() }
        isOnline = false
        await publish()
    }
}
