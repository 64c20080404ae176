enum ExportType: String, Codable {
    case export, key, row, checkpoint, end
}
