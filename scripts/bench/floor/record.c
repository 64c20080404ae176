// Records what a process asks of SQLite: preloaded (LD_PRELOAD), it writes the file of the environment variable
// SQLITE_RECORDING, from the start of the process on. SIGUSR2 puts a mark into it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "recording.h"

// Of the file, which is sparse, and shared, so that whatever ends the process everything is in it.
#define MAXIMUM_BYTES (4ull << 30)
#define CONNECTIONS 64
#define STATEMENTS 4096
#define TEXTS 4096
#define VALUES 512

struct bound {
    uint8_t type;
    uint32_t length;
    union {
        int64_t integer;
        double real;
        void *bytes;
    };
};

struct statement {
    sqlite3_stmt *handle;
    uint32_t text;
    uint16_t connection;
    int count, has_begun;
    uint32_t *steps;
    struct bound *values;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread int is_inside; // A call that SQLite itself makes is none of the process's.
static uint8_t *file, *end;
static sqlite3 *connections[CONNECTIONS];
static struct statement statements[STATEMENTS];
static char *texts[TEXTS];
static volatile sig_atomic_t marks;

static void fail(const char *reason) {
    fprintf(stderr, "record: %s\n", reason);
    abort();
}

static void put(const void *bytes, size_t length) {
    if (end + length + 64 > file + MAXIMUM_BYTES) fail("the recording is full");
    memcpy(end, bytes, length);
    end += length;
}

static void put_number(uint32_t number) { put(&number, sizeof number); }

static void put_head(enum event event, int connection) {
    put(&(struct head){(uint16_t)event, (uint16_t)connection}, sizeof(struct head));
}

static void marked(int signal) {
    (void)signal;
    marks++;
}

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("SQLITE_RECORDING");
    if (!path) return;
    int descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (descriptor < 0 || ftruncate(descriptor, MAXIMUM_BYTES)) fail("the recording cannot be made");
    file = end = mmap(NULL, MAXIMUM_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (file == MAP_FAILED) fail("the recording cannot be mapped");
    signal(SIGUSR2, marked);
}

// Under the lock; false where nothing is recorded.
static int enter(void) {
    if (!file || is_inside) return 0;
    pthread_mutex_lock(&lock);
    for (; marks > 0; marks--) put_head(MARK, 0);
    return 1;
}

static void leave(void) { pthread_mutex_unlock(&lock); }

static int number_of(sqlite3 *connection) {
    for (int i = 0; i < CONNECTIONS; i++)
        if (connections[i] == connection) return i;
    return -1;
}

static uint32_t number_of_text(const char *sql, int connection) {
    for (uint32_t i = 0; i < TEXTS; i++) {
        if (texts[i] && strcmp(texts[i], sql) == 0) return i;
        if (texts[i]) continue;
        texts[i] = strdup(sql);
        put_head(TEXT, connection);
        put_number(i);
        put_number((uint32_t)strlen(sql));
        put(sql, strlen(sql));
        return i;
    }
    fail("too many different statements");
    return 0;
}

static struct statement *slot(sqlite3_stmt *handle) {
    size_t place = ((uintptr_t)handle >> 4) % STATEMENTS;
    for (size_t i = 0; i < STATEMENTS; i++) {
        struct statement *each = &statements[(place + i) % STATEMENTS];
        if (each->handle == handle) return each;
    }
    return NULL;
}

static struct statement *known(sqlite3_stmt *handle) {
    struct statement *found = slot(handle);
    if (found) return found;
    int connection = number_of(sqlite3_db_handle(handle));
    if (connection < 0) return NULL;
    size_t place = ((uintptr_t)handle >> 4) % STATEMENTS;
    for (size_t i = 0; i < STATEMENTS; i++) {
        struct statement *each = &statements[(place + i) % STATEMENTS];
        if (each->handle) continue;
        int count = sqlite3_bind_parameter_count(handle);
        if (count > VALUES) fail("too many values");
        *each = (struct statement){
            .handle = handle, .text = number_of_text(sqlite3_sql(handle), connection),
            .connection = (uint16_t)connection, .count = count,
            .values = calloc((size_t)(count ? count : 1), sizeof(struct bound))};
        return each;
    }
    fail("too many statements");
    return NULL;
}

static void drop(struct bound *value) {
    if (value->type == TEXT_VALUE || value->type == BLOB_VALUE) free(value->bytes);
    *value = (struct bound){0};
}

static struct bound *place_of(sqlite3_stmt *handle, int index) {
    struct statement *statement = known(handle);
    if (!statement || index < 1 || index > statement->count) return NULL;
    struct bound *value = &statement->values[index - 1];
    drop(value);
    return value;
}

static void bind_bytes(sqlite3_stmt *handle, int index, enum value type, const void *bytes, long long length) {
    if (!enter()) return;
    struct bound *value = place_of(handle, index);
    if (value && bytes) {
        size_t count = length < 0 ? strlen(bytes) : (size_t)length;
        value->type = (uint8_t)type;
        value->length = (uint32_t)count;
        value->bytes = malloc(count ? count : 1);
        memcpy(value->bytes, bytes, count);
    }
    leave();
}

static void bind_number(sqlite3_stmt *handle, int index, struct bound number) {
    if (!enter()) return;
    struct bound *value = place_of(handle, index);
    if (value) *value = number;
    leave();
}

static void run(struct statement *statement) {
    put_head(RUN, statement->connection);
    put_number(statement->text);
    statement->steps = (uint32_t *)(void *)end;
    put_number(0);
    put_number((uint32_t)statement->count);
    for (int i = 0; i < statement->count; i++) {
        struct bound *value = &statement->values[i];
        put(&value->type, 1);
        if (value->type == INTEGER_VALUE || value->type == DOUBLE_VALUE) {
            put(&value->integer, sizeof value->integer);
        } else if (value->type != NULL_VALUE) {
            put_number(value->length);
            put(value->bytes, value->length);
        }
    }
}

// The function of the library, in place of which the one here is called.
#define REAL(name) static typeof(&name) real; if (!real) real = (typeof(&name))dlsym(RTLD_NEXT, #name)

int sqlite3_open_v2(const char *path, sqlite3 **connection, int flags, const char *vfs) {
    REAL(sqlite3_open_v2);
    is_inside++;
    int result = real(path, connection, flags, vfs);
    is_inside--;
    if (enter()) {
        int number = number_of(NULL);
        if (number < 0) fail("too many connections");
        connections[number] = *connection;
        put_head(OPEN, number);
        put_number((uint32_t)flags);
        leave();
    }
    return result;
}

static void closed(sqlite3 *connection) {
    if (!connection || !enter()) return;
    int number = number_of(connection);
    if (number >= 0) {
        put_head(CLOSE, number);
        connections[number] = NULL;
    }
    leave();
}

int sqlite3_close(sqlite3 *connection) {
    REAL(sqlite3_close);
    is_inside++;
    int result = real(connection);
    is_inside--;
    if (result == SQLITE_OK) closed(connection);
    return result;
}

int sqlite3_close_v2(sqlite3 *connection) {
    REAL(sqlite3_close_v2);
    closed(connection);
    is_inside++;
    int result = real(connection);
    is_inside--;
    return result;
}

int sqlite3_finalize(sqlite3_stmt *handle) {
    REAL(sqlite3_finalize);
    if (handle && enter()) {
        struct statement *statement = slot(handle);
        if (statement) {
            for (int i = 0; i < statement->count; i++) drop(&statement->values[i]);
            free(statement->values);
            *statement = (struct statement){0};
        }
        leave();
    }
    return real(handle);
}

int sqlite3_step(sqlite3_stmt *handle) {
    REAL(sqlite3_step);
    if (enter()) {
        struct statement *statement = known(handle);
        if (statement && !sqlite3_stmt_busy(handle)) run(statement);
        if (statement && statement->steps) ++*statement->steps;
        leave();
    }
    is_inside++;
    int result = real(handle);
    is_inside--;
    return result;
}

int sqlite3_exec(
    sqlite3 *connection, const char *sql, int (*callback)(void *, int, char **, char **), void *context, char **error) {
    REAL(sqlite3_exec);
    if (enter()) {
        int number = number_of(connection);
        if (number >= 0) {
            put_head(EXEC, number);
            put_number((uint32_t)strlen(sql));
            put(sql, strlen(sql));
        }
        leave();
    }
    is_inside++;
    int result = real(connection, sql, callback, context, error);
    is_inside--;
    return result;
}

int sqlite3_clear_bindings(sqlite3_stmt *handle) {
    REAL(sqlite3_clear_bindings);
    if (enter()) {
        struct statement *statement = slot(handle);
        for (int i = 0; statement && i < statement->count; i++) drop(&statement->values[i]);
        leave();
    }
    return real(handle);
}

int sqlite3_bind_int64(sqlite3_stmt *handle, int index, sqlite3_int64 value) {
    REAL(sqlite3_bind_int64);
    bind_number(handle, index, (struct bound){.type = INTEGER_VALUE, .integer = value});
    return real(handle, index, value);
}

int sqlite3_bind_int(sqlite3_stmt *handle, int index, int value) { return sqlite3_bind_int64(handle, index, value); }

int sqlite3_bind_double(sqlite3_stmt *handle, int index, double value) {
    REAL(sqlite3_bind_double);
    bind_number(handle, index, (struct bound){.type = DOUBLE_VALUE, .real = value});
    return real(handle, index, value);
}

int sqlite3_bind_null(sqlite3_stmt *handle, int index) {
    REAL(sqlite3_bind_null);
    bind_number(handle, index, (struct bound){.type = NULL_VALUE});
    return real(handle, index);
}

int sqlite3_bind_text(sqlite3_stmt *handle, int index, const char *bytes, int length, void (*free)(void *)) {
    REAL(sqlite3_bind_text);
    bind_bytes(handle, index, TEXT_VALUE, bytes, length);
    return real(handle, index, bytes, length, free);
}

int sqlite3_bind_text64(
    sqlite3_stmt *handle, int index, const char *bytes, sqlite3_uint64 length, void (*free)(void *),
    unsigned char encoding) {
    REAL(sqlite3_bind_text64);
    bind_bytes(handle, index, TEXT_VALUE, bytes, (long long)length);
    return real(handle, index, bytes, length, free, encoding);
}

int sqlite3_bind_blob(sqlite3_stmt *handle, int index, const void *bytes, int length, void (*free)(void *)) {
    REAL(sqlite3_bind_blob);
    bind_bytes(handle, index, BLOB_VALUE, bytes, length);
    return real(handle, index, bytes, length, free);
}

int sqlite3_bind_blob64(
    sqlite3_stmt *handle, int index, const void *bytes, sqlite3_uint64 length, void (*free)(void *)) {
    REAL(sqlite3_bind_blob64);
    bind_bytes(handle, index, BLOB_VALUE, bytes, (long long)length);
    return real(handle, index, bytes, length, free);
}

int sqlite3_bind_zeroblob(sqlite3_stmt *handle, int index, int length) {
    REAL(sqlite3_bind_zeroblob);
    uint8_t *zeros = calloc(1, (size_t)(length > 0 ? length : 1));
    bind_bytes(handle, index, BLOB_VALUE, zeros, length > 0 ? length : 0);
    free(zeros);
    return real(handle, index, length);
}
