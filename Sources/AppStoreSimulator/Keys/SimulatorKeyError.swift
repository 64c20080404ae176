/// The keys in the key/value store cannot be read.
struct SimulatorKeyError: Error {}
