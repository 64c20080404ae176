/// The type of a line, which every line has.
struct ExportTag: Decodable {
    var type: ExportType
}
