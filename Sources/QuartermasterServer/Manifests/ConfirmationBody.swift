/// What a client says that it has.
struct ConfirmationBody: RequestBody { var sha256: String }
