extension Schema {
    /// The catalog, where it is not a file.
    static let version7 = """
        CREATE TABLE catalogRevisions (
            number INTEGER NOT NULL PRIMARY KEY,
            text BLOB NOT NULL,
            actor TEXT,
            addedAt INTEGER NOT NULL
        ) STRICT;
        """
}
