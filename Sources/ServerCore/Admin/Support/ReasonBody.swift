import ServerHTTP

/// The reason for an administrator's act.
struct ReasonBody: JSONRequestBody { var reason: String }
