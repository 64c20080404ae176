import ServerHTTP

/// The groups to which features add their routes.
package struct RouteGroups {
    /// From `/`, for everybody.
    let root: RouteGroup
    /// Below `/v1`, for everybody.
    let open: RouteGroup
    /// Below `/v1`, for players.
    let player: RouteGroup
    /// Below `/admin/v1`.
    let admin: AdminRouter
}

/// A part of the server's interface, which adds its routes by itself.
package protocol RouteFeature: Sendable {
    func add(to groups: RouteGroups)
}
