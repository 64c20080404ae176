extension WordPack {
    /// The words that the game brings along, so that it can be played before anything is downloaded.
    package static let builtIn = WordPack(
        name: "Everyday words",
        entries: [
            ("apple", "Fruit that keeps the doctor away"),
            ("bicycle", "Two wheels and your own legs"),
            ("bottle", "Glass with a neck"),
            ("breakfast", "The first thing to eat"),
            ("candle", "Gives light and gets shorter"),
            ("doorbell", "Announces a visitor"),
            ("elephant", "Said never to forget"),
            ("garden", "Where things grow on purpose"),
            ("hammer", "Everything looks like a nail to it"),
            ("island", "Land with water all around"),
            ("kitchen", "Room with the best smells"),
            ("ladder", "Steps to lean against a wall"),
            ("morning", "It begins at sunrise"),
            ("pillow", "Where a head spends the night"),
            ("rainbow", "Sun and rain together"),
            ("sandwich", "Named after an earl"),
            ("teacher", "Has a class"),
            ("umbrella", "Forgotten on trains, missed in the wet"),
            ("violin", "Four strings and a bow"),
            ("window", "A wall that one can look through"),
        ].compactMap { WordEntry(word: $0.0, clue: $0.1) })
}
