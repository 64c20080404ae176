import Foundation
import ServerTestSupport

/// The words of a page about a form: the changes that it would make, and the mistakes in it.
extension Answer {
    /// The rows of the tables of changes, with the texts of their cells.
    var changes: [[String]] {
        html.matches(of: #/<caption>What changes</caption>(?s)(.*?)</table>/#).flatMap { table in
            String(table.output.1).matches(of: #/<tr role="row">\n<td(?s)(.*?)</tr>/#).map { row in
                "<td\(row.output.1)".matches(of: #/<td[^>]*>(?s)(.*?)</td>/#).map { String($0.output.1).unescaped }
            }
        }
    }

    /// The mistakes at fields, by the names of the fields.
    var mistakes: [(field: String, words: String)] {
        html.matches(of: #/<strong class="mistake" id="mistake-([^"]*)">([^<]*)</strong>/#).map {
            (String($0.output.1).unescaped, String($0.output.2).unescaped)
        }
    }
}
