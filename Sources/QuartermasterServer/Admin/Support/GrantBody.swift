/// The answer to a grant: its ID, by which it is taken back.
struct GrantBody: Encodable {
    var grant: String
}
