extension String {
    /// The name that was probably meant, of which as many letters may be wrong as a third of its last part has, and
    /// always one: all products of an app begin alike. `nil` if none is near.
    package func nearest(in names: some Sequence<String>) -> String? {
        let distances = names.map { (name: $0, distance: distance(to: $0)) }
        guard let best = distances.min(by: { ($0.distance, $0.name) < ($1.distance, $1.name) }) else { return nil }
        let part = best.name.split(whereSeparator: { "._".contains($0) }).last ?? ""
        return best.distance <= Swift.max(1, part.count / 3) ? best.name : nil
    }

    /// The number of letters to insert, delete, replace or swap with the next one (optimal string alignment).
    private func distance(to other: String) -> Int {
        // A longer word is no misspelt name, and would be expensive to compare.
        guard count <= other.count * 2 else { return count }
        let (a, b) = (Array(self), Array(other))
        var rows = [Array(0...b.count)]
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var best = Swift.min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = Swift.min(best, rows[i - 1][j - 1] + 1) }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
