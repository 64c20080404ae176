/// What kind of line it is; all have it.
struct ExportTag: Decodable {
    var type: ExportType
}
