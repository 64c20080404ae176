extension Schema {
    /// The index by which the notifications of one app are listed, the last first.
    static let version31 = "CREATE INDEX notificationsOfApp ON notifications (app, recordedAt, id);"
}
