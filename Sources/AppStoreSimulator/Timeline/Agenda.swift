import Foundation
import InAppPurchase

/// The events that happen by themselves, by date. Finding the next takes as long with 10,000 subscriptions as with one;
/// setting a date takes as many steps as their number has bits.
actor Agenda {
    enum Item: Hashable, Sendable {
        /// A planned act, by its key in the store.
        case plannedAct(String)
        /// A subscription, by its original transaction.
        case subscription(TransactionID)
    }

    private struct Entry {
        var date: Date
        /// Planned acts come before what happens at the same time by itself; otherwise the order of setting.
        var rank: Int
        var sequence: Int
        var item: Item

        func isBefore(_ other: Entry) -> Bool { (date, rank, sequence) < (other.date, other.rank, other.sequence) }
    }

    /// A binary heap, with entries that do not count any more.
    private var heap: [Entry] = []
    /// The entries that count.
    private var current: [Item: (date: Date, sequence: Int)] = [:]
    private var sequence = 0

    func contains(_ item: Item) -> Bool { current[item] != nil }

    /// Sets the date of an item; `nil` removes it.
    func set(_ date: Date?, for item: Item) {
        guard let date else {
            current[item] = nil
            return
        }
        if current[item]?.date == date { return }
        sequence = sequence.saturatingAdding(1)
        current[item] = (date, sequence)
        let rank = if case .plannedAct = item { 0 } else { 1 }
        push(Entry(date: date, rank: rank, sequence: sequence, item: item))
    }

    /// The first item that is due at `date`; it stays until its date is set anew.
    func next(at date: Date) -> (item: Item, date: Date)? {
        while let first = heap.first {
            if current[first.item]?.sequence != first.sequence {
                removeFirst()
            } else {
                return first.date <= date ? (first.item, first.date) : nil
            }
        }
        return nil
    }

    private func push(_ entry: Entry) {
        // Each date that was set again leaves an entry behind.
        if heap.count > 2 * current.count + 64 {
            heap = heap.filter { current[$0.item]?.sequence == $0.sequence }.sorted { $0.isBefore($1) }
        }
        heap.append(entry)
        var index = heap.count - 1
        while index > 0, heap[index].isBefore(heap[(index - 1) / 2]) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var index = 0
        while true {
            let children = [2 * index + 1, 2 * index + 2].filter { $0 < heap.count }
            guard let least = children.min(by: { heap[$0].isBefore(heap[$1]) }), heap[least].isBefore(heap[index])
            else { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}
