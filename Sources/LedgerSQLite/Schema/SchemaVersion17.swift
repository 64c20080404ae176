extension Schema {
    /// The lifetime of the links that were issued with a manifest, if an app asked for one.
    static let version17 = "ALTER TABLE manifestDeliveries ADD COLUMN linkLifetime INTEGER;"
}
