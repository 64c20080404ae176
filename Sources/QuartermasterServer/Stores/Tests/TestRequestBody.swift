/// The optional body of a request for a test notification.
struct TestRequestBody: RequestBody {
    /// The reason, for the audit trail.
    var reason: String?
}
