/// The reason why a body is no form with files, or exceeds what is accepted.
enum MultipartError: String, Error {
    case notAForm = "The form is not multipart/form-data."
    case unreadable = "A part of the form cannot be read."
    case unfinished = "The form ends before its end."
    case tooManyParts = "The form has too many parts."
    case longHead = "The head of a part is too long."
}
