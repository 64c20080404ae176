extension Schema {
    /// The catalog, for servers that do not read it from a file.
    static let version7 = """
        CREATE TABLE catalogRevisions (
            number INTEGER NOT NULL PRIMARY KEY,
            text BLOB NOT NULL,
            actor TEXT,
            addedAt INTEGER NOT NULL
        ) STRICT;
        """
}
