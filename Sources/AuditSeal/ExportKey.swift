struct ExportKey: Codable {
    var jwk: JSONWebKey
    var type = ExportType.key

    init(_ key: AuditVerifyingKey) { jwk = JSONWebKey(key) }

    var line: ExportLine? { (try? jwk.verifying()).flatMap { $0 }.map(ExportLine.key) }
}
