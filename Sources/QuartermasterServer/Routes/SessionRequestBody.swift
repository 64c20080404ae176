/// What opens a session.
struct SessionRequestBody: RequestBody { var recoveryCode: String }
