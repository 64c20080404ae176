extension Schema {
    /// The apps that an admin token is for, in the order of their names, a line each; `NULL` for everything.
    static let version25 = "ALTER TABLE adminTokens ADD COLUMN apps TEXT;"
}
