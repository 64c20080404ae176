/// The consent of a player.
struct ConsentBody: RequestBody { var consents: Bool }
