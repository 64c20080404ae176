package import PrometheusMetrics

/// Every metric of the server. The help text is for operators; documentation and alerts use the names, so they must not
/// change.
extension MetricFamily {
    package static let server = [
        httpRequests, httpRequestDuration, httpRequestsInFlight, httpConnections, rateLimited, receipts, transactions,
        notifications, verifiedNotifications, newestNotificationAge, alarmLevel, alarmItems, alarmAge, receiptsPending,
        oldestPendingReceiptAge, storeRequestDuration, ledgerWriteDuration, ledgerCommitWrites, contentSent,
        catalogReloadFailures, catalogLastReloadSuccessful, certificateNotAfter, refusedMetrics, processStartTime,
    ]

    static let httpRequests = MetricFamily(
        "quartermaster_http_requests_total", .counter, "Requests answered, by method, route and status.")
    static let httpRequestDuration = MetricFamily(
        "quartermaster_http_request_duration_seconds",
        .histogram(bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]),
        "Time until the answer was ready to be sent; how long a client then takes to receive it is not in it.")
    static let httpRequestsInFlight = MetricFamily(
        "quartermaster_http_requests_in_flight", .gauge, "Requests whose answer is not ready yet.")
    package static let httpConnections = MetricFamily(
        "quartermaster_http_connections", .gauge, "Open connections of clients.")
    package static let rateLimited = MetricFamily(
        "quartermaster_rate_limited_total", .counter,
        "Requests, or connections, refused because there were too many, by limit.")

    package static let receipts = MetricFamily(
        "quartermaster_receipts_total", .counter,
        "Receipts by kind and outcome: answered, or decided after they were pending; by reason if rejected.")
    package static let transactions = MetricFamily(
        "quartermaster_transactions_total", .counter,
        "Transactions in verified receipts by outcome, each time they come; by reason where denied.")
    package static let notifications = MetricFamily(
        "quartermaster_notifications_total", .counter,
        "Notifications of the App Store by version and what became of them.")
    package static let verifiedNotifications = MetricFamily(
        "quartermaster_verified_notifications_total", .counter,
        "Verified notifications of the App Store by its type, repeated ones included.")
    package static let newestNotificationAge = MetricFamily(
        "quartermaster_newest_notification_age_seconds", .gauge,
        "Time since the store sent a notification; missing if none ever came.")
    package static let alarmLevel = MetricFamily(
        "quartermaster_alarm_level", .gauge, "What an operator must know by alarm: 0 good, 1 waiting, 2 bad.")
    package static let alarmItems = MetricFamily(
        "quartermaster_alarm_items", .gauge, "How many purchases, receipts or others an alarm concerns.")
    package static let alarmAge = MetricFamily(
        "quartermaster_alarm_age_seconds", .gauge, "Time since when there is an alarm; 0 if there is none.")
    package static let receiptsPending = MetricFamily(
        "quartermaster_receipts_pending", .gauge, "Pending receipts, waiting for a response of the App Store.")
    package static let oldestPendingReceiptAge = MetricFamily(
        "quartermaster_oldest_pending_receipt_age_seconds", .gauge,
        "Age of the oldest pending receipt that was never answered; 0 if there is none.")
    package static let storeRequestDuration = MetricFamily(
        "quartermaster_store_request_duration_seconds",
        .histogram(bounds: [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30]),
        "App Store requests about receipts, both environments together, by result.")
    package static let ledgerWriteDuration = MetricFamily(
        "quartermaster_ledger_write_duration_seconds",
        .histogram(bounds: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]),
        "Committed writes by phase: wait for the writer, work, commit to the disk.")
    package static let ledgerCommitWrites = MetricFamily(
        "quartermaster_ledger_commit_writes", .histogram(bounds: [1, 2, 4, 8, 16, 32, 64, 128]),
        "Commits by how many writes they had.")

    package static let contentSent = MetricFamily(
        "quartermaster_content_sent_bytes_total", .counter, "Bytes of files handed to connections.")
    package static let catalogReloadFailures = MetricFamily(
        "quartermaster_catalog_reload_failures_total", .counter, "Changes of products.json that were refused.")
    package static let catalogLastReloadSuccessful = MetricFamily(
        "quartermaster_catalog_last_reload_successful", .gauge,
        "1 where products.json is served as it is, 0 where it was refused and an older one is served.")
    package static let certificateNotAfter = MetricFamily(
        "quartermaster_certificate_not_after_seconds", .gauge,
        "End of the validity of the server's own TLS certificates since the Unix epoch; missing without TLS.")
    package static let refusedMetrics = MetricFamily(
        "quartermaster_refused_metrics", .gauge, "Metrics past the bound on series; they measure nothing.")
    package static let processStartTime = MetricFamily(
        "process_start_time_seconds", .gauge, "Start of the server since the Unix epoch.")
}
