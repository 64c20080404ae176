// The form of a recording of what a process asks of SQLite, in the order of events. Each begins with its kind and the
// number of a connection; numbers are those of this machine.
//   OPEN  u32 flags
//   CLOSE
//   TEXT  u32 number, u32 length, the SQL: known under its number from here on, for all connections
//   RUN   u32 number of the text, u32 steps, u32 values; of each value its type, then 8 bytes or u32 length and bytes
//   EXEC  u32 length, the SQL: by sqlite3_exec
//   MARK  sent by a signal: what is measured begins, or ends
#pragma once

#include <stdint.h>

enum event { END, OPEN, CLOSE, TEXT, RUN, EXEC, MARK };

enum value { NULL_VALUE, INTEGER_VALUE, DOUBLE_VALUE, TEXT_VALUE, BLOB_VALUE };

struct head {
    uint16_t event, connection;
};
