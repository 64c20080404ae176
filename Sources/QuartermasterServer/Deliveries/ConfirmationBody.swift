/// The hash of the manifest that a client confirms to have.
struct ConfirmationBody: RequestBody { var sha256: String }
