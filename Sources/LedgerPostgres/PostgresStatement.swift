import Basics
import Crypto
import Foundation

/// One statement in PostgreSQL's syntax.
struct PostgresStatement {
    /// The text, with `$1`, `$2`… in place of `?` or `?1`.
    let text: String
    /// The number of arguments.
    let parameters: Int
    /// The name of the prepared statement, from the text's hash: behind a pooler, one name must never stand for two
    /// statements.
    let name: String

    /// - Parameter sql: placeholders in strings, quoted names and comments are left as they are. It must not contain
    ///   dollar quotes, strings with escapes (`E''`), or `?` as an operator.
    init(_ sql: String) {
        var scanner = PlaceholderScanner(Array(sql.utf8))
        scanner.scan()
        text = String(decoding: scanner.output, as: UTF8.self)
        parameters = scanner.parameters
        name = "quartermaster_" + SHA256.hash(data: Data(text.utf8)).prefix(16).hex
    }
}

private struct PlaceholderScanner {
    private let input: [UInt8]
    private var position = 0
    private(set) var output: [UInt8] = []
    private(set) var parameters = 0

    init(_ input: [UInt8]) { self.input = input }

    mutating func scan() {
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\""): copyQuoted(by: byte)
            case UInt8(ascii: "-") where peek(1) == UInt8(ascii: "-"): copyLine()
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): copyComment()
            case UInt8(ascii: "?"): replacePlaceholder()
            default: copy()
            }
        }
    }

    private func peek(_ offset: Int = 0) -> UInt8? { position + offset < input.count ? input[position + offset] : nil }

    private mutating func copy(_ count: Int = 1) {
        for _ in 0..<count {
            guard let byte = peek() else { return }
            output.append(byte)
            position += 1
        }
    }

    /// A doubled quote is parsed as the end of one string and the beginning of the next, with the same result.
    private mutating func copyQuoted(by quote: UInt8) {
        copy()
        while let byte = peek(), byte != quote { copy() }
        copy()
    }

    private mutating func copyLine() { while let byte = peek(), byte != UInt8(ascii: "\n") { copy() } }

    /// Comments nest in PostgreSQL.
    private mutating func copyComment() {
        var depth = 0
        while let byte = peek() {
            switch (byte, peek(1)) {
            case (UInt8(ascii: "/"), UInt8(ascii: "*")): (depth, _) = (depth + 1, copy(2))
            case (UInt8(ascii: "*"), UInt8(ascii: "/")): (depth, _) = (depth - 1, copy(2))
            default: copy()
            }
            if depth == 0 { return }
        }
    }

    private mutating func replacePlaceholder() {
        position += 1
        var digits: [UInt8] = []
        while let byte = peek(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            digits.append(byte)
            position += 1
        }
        let number = Int(String(decoding: digits, as: UTF8.self)) ?? (parameters + 1)
        parameters = max(parameters, number)
        output.append(contentsOf: Array("$\(number)".utf8))
    }
}
