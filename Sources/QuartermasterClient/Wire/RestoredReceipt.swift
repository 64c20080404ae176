/// The result of a receipt of a restore.
struct RestoredReceipt: Sendable, Decodable {
    /// `verified`, `pending`, `rejected` or `conflict`.
    var status: String
    var reason: String?
    var remedy: Remedy?
    /// Whether what was sent may be finished. If the server does not say so, it may not.
    var finish: Bool

    /// Whether the server judged it, and says so: a rejection, in whatever words, judged nothing.
    var mayFinish: Bool { status == "verified" && finish }

    private enum CodingKeys: String, CodingKey {
        case status
        case reason
        case remedy
        case finish
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        status = container.lenient(String.self, .status) ?? ""
        reason = container.lenient(String.self, .reason)
        remedy = container.lenient(Remedy.self, .remedy)
        finish = container.lenient(Bool.self, .finish) ?? false
    }
}
