/// The reason for an administrator's act.
struct ReasonBody: RequestBody { var reason: String }
