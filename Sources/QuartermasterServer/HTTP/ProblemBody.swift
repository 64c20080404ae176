import HTTPTypes
import Hummingbird
import InAppPurchase

/// The members of a problem document (RFC 9457).
struct ProblemBody: Encodable {
    var type: String
    var title: String
    var status: Int
    var detail: String?
    var code: String
    var reason: String?
    var remedy: TransferRemedy?
    /// An error judges no transaction: the app keeps all of them, whatever it asked for.
    var finish = false
    var receipt: String?

    init(_ problem: Problem) {
        type = "urn:quartermaster:problem:\(problem.code)"
        title = problem.title
        status = problem.status.code
        detail = problem.detail
        code = problem.code
        reason = problem.reason
        remedy = problem.remedy
        receipt = problem.receipt
    }
}
