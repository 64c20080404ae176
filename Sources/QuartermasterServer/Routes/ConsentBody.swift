/// What a player allows.
struct ConsentBody: RequestBody { var consents: Bool }
