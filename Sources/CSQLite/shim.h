// Declared here, since Swift does not import functions with a variable number of arguments.
int sqlite3_config(int option, ...);

// SQLITE_CONFIG_MEMSTATUS (https://www.sqlite.org/c3ref/c_config_covering_index_scan.html): counts no allocations, which
// takes a mutex for each. Must be called before any other function of SQLite; later it does nothing.
static inline void quartermaster_sqlite_without_memory_statistics(void) { sqlite3_config(9, 0); }
