/// What the key/value store has under a key of ours is not what was written there.
struct UnreadableKeys: Error {}
