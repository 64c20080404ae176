/// Why an administrator does something.
struct ReasonBody: RequestBody { var reason: String }
