extension Schema {
    /// The index by which the notifications of one app are listed, newest first.
    static let version31 = "CREATE INDEX notificationsOfApp ON notifications (app, recordedAt, id);"
}
