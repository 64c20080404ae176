import Configuration
package import ServerHTTP

/// The addresses of the pages for administrators, under `/admin/`.
package struct AdminPagesSetting: Hashable, Sendable {
    /// Whether the main address has them.
    package let isOnMain: Bool
    /// Their separate address, which then is the only one; `nil` if they have none.
    package let address: ListenAddress?

    /// - Parameter simulator: whether the server is for development, so that the main address has them by default.
    /// - Throws: ``/ServerHTTP/SettingError``
    package init(_ sources: SettingSources, simulator: Bool) throws {
        address = try sources.address("adminListen", such: "127.0.0.1:8081")
        let isOn = try sources.bool("adminPages", or: simulator)
        isOnMain = isOn && address == nil
    }
}
