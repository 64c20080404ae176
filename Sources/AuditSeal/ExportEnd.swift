struct ExportEnd: Codable {
    /// The highest sequence number that was given; left out if the trail was whole.
    var highest: Int?
    var lines: Int
    var type = ExportType.end

    init(lines: Int, highest: Int?) {
        self.lines = lines
        self.highest = highest
    }
}
