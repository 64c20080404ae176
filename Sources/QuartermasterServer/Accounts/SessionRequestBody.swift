/// The recovery code that opens a session.
struct SessionRequestBody: RequestBody { var recoveryCode: String }
