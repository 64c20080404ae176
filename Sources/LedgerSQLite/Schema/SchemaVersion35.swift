extension Schema {
    /// The idempotency keys of grants by app: an administrator of one app does not meet the keys of another.
    static let version35 = """
        DROP INDEX productGrantsKey;
        CREATE UNIQUE INDEX productGrantsKey ON productGrants (account, app, idempotencyKey);
        """
}
