// What receipts cost a program that does nothing but what has to be done: floor LEDGER RECORDING RECEIPTS
//
// It verifies the ES256 signature of each signed transaction and hashes token and transaction, and executes what a
// server asked of SQLite between the two marks of a recording: the same statements with the same values in the same
// transactions, with the settings that the server gave its connections, on a copy of the ledger as it was before. Each
// statement is prepared once. RECEIPTS: token, TAB, signed transaction, one a line, all signed by one key.
//
// Prints a line of JSON; seconds are those of the processor, for all receipts together.
#define _GNU_SOURCE
#include <fcntl.h>
#include <openssl/bn.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "recording.h"

#define CONNECTIONS 64
#define TEXTS 4096
#define MAXIMUM_TRANSACTION (16 << 10)

static void fail(const char *what, const char *reason) {
    fprintf(stderr, "floor: %s: %s\n", what, reason);
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// MARK: Receipts

static size_t decoded(const char *text, size_t length, unsigned char *bytes) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    static signed char values[256];
    if (!values['B']) {
        for (int i = 0; i < 62; i++) values[(unsigned char)digits[i]] = (signed char)i;
        values['-'] = values['+'] = 62;
        values['_'] = values['/'] = 63;
    }
    unsigned bits = 0, count = 0;
    size_t made = 0;
    for (size_t i = 0; i < length && text[i] != '='; i++) {
        bits = bits << 6 | (unsigned)values[(unsigned char)text[i]];
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes[made++] = (unsigned char)(bits >> count);
    }
    return made;
}

// The key of the first certificate in the header's `x5c`, by the library that the verification is by.
static EVP_PKEY *key_of(const char *header, size_t length) {
    static unsigned char json[MAXIMUM_TRANSACTION], der[MAXIMUM_TRANSACTION];
    json[decoded(header, length, json)] = 0;
    char *first = strstr((char *)json, "\"x5c\":[\"");
    if (!first) fail("a receipt", "no certificate in its header");
    first += strlen("\"x5c\":[\"");
    const unsigned char *bytes = der;
    X509 *certificate = d2i_X509(NULL, &bytes, (long)decoded(first, strcspn(first, "\""), der));
    if (!certificate) fail("a receipt", "its certificate cannot be read");
    return X509_get_pubkey(certificate);
}

static int is_genuine(EVP_PKEY_CTX *context, const char *signature, size_t length, const unsigned char digest[32]) {
    unsigned char raw[80], *der = NULL;
    if (length > 100 || decoded(signature, length, raw) != 64) return 0;
    ECDSA_SIG *pair = ECDSA_SIG_new();
    ECDSA_SIG_set0(pair, BN_bin2bn(raw, 32, NULL), BN_bin2bn(raw + 32, 32, NULL));
    int size = i2d_ECDSA_SIG(pair, &der);
    ECDSA_SIG_free(pair);
    int result = EVP_PKEY_verify(context, der, (size_t)size, digest, 32);
    OPENSSL_free(der);
    return result == 1;
}

static double verify(const char *path, int *count) {
    FILE *lines = fopen(path, "r");
    if (!lines) fail(path, "cannot be read");
    EVP_PKEY_CTX *context = NULL;
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    double seconds = 0;
    while ((length = getline(&line, &room, lines)) > 0) {
        char *tab = memchr(line, '\t', (size_t)length), *last = line + length - 1;
        char *first = tab ? memchr(tab, '.', (size_t)(last - tab)) : NULL;
        char *second = first ? memchr(first + 1, '.', (size_t)(last - first - 1)) : NULL;
        if (!second || last - tab > MAXIMUM_TRANSACTION) fail(path, "a line is no receipt");
        if (!context) {
            context = EVP_PKEY_CTX_new(key_of(tab + 1, (size_t)(first - tab - 1)), NULL);
            EVP_PKEY_verify_init(context);
        }
        double began = now();
        unsigned char token[32], all[32], signed_part[32], payload[MAXIMUM_TRANSACTION];
        SHA256((unsigned char *)line, (size_t)(tab - line), token);
        SHA256((unsigned char *)tab + 1, (size_t)(last - tab - 1), all);
        SHA256((unsigned char *)tab + 1, (size_t)(second - tab - 1), signed_part);
        decoded(first + 1, (size_t)(second - first - 1), payload);
        if (!is_genuine(context, second + 1, (size_t)(last - second - 1), signed_part)) fail(path, "a false signature");
        seconds += now() - began;
        ++*count;
    }
    return seconds;
}

// MARK: Statements

static const uint8_t *at, *stop;
static sqlite3 *connections[CONNECTIONS];
static sqlite3_stmt *statements[CONNECTIONS][TEXTS];
static struct {
    const char *sql;
    uint32_t length;
} texts[TEXTS];
static int marks;

static const uint8_t *part(size_t length) {
    if ((size_t)(stop - at) < length) fail("the recording", "it breaks off");
    const uint8_t *start = at;
    at += length;
    return start;
}

static uint32_t number(void) {
    uint32_t value;
    memcpy(&value, part(sizeof value), sizeof value);
    return value;
}

static void close_connection(int connection) {
    for (int i = 0; i < TEXTS; i++) {
        sqlite3_finalize(statements[connection][i]);
        statements[connection][i] = NULL;
    }
    sqlite3_close_v2(connections[connection]);
    connections[connection] = NULL;
}

static void bind(sqlite3_stmt *statement, int index) {
    int64_t integer;
    double real;
    uint32_t length;
    switch (*part(1)) {
    case INTEGER_VALUE:
        memcpy(&integer, part(8), 8);
        sqlite3_bind_int64(statement, index, integer);
        break;
    case DOUBLE_VALUE:
        memcpy(&real, part(8), 8);
        sqlite3_bind_double(statement, index, real);
        break;
    case TEXT_VALUE:
        length = number();
        sqlite3_bind_text(statement, index, (const char *)part(length), (int)length, SQLITE_STATIC);
        break;
    case BLOB_VALUE:
        length = number();
        sqlite3_bind_blob(statement, index, part(length), (int)length, SQLITE_STATIC);
        break;
    default: sqlite3_bind_null(statement, index);
    }
}

static void run(int connection) {
    uint32_t text = number(), steps = number(), values = number();
    if (text >= TEXTS || !texts[text].sql) fail("the recording", "a statement without its text");
    sqlite3_stmt **statement = &statements[connection][text];
    if (!*statement && sqlite3_prepare_v3(
            connections[connection], texts[text].sql, (int)texts[text].length, SQLITE_PREPARE_PERSISTENT, statement,
            NULL) != SQLITE_OK)
        fail(texts[text].sql, sqlite3_errmsg(connections[connection]));
    for (uint32_t i = 0; i < values; i++) bind(*statement, (int)i + 1);
    int result = SQLITE_ROW;
    for (uint32_t i = 0; i < steps && result == SQLITE_ROW; i++) {
        result = sqlite3_step(*statement);
        for (int column = 0; result == SQLITE_ROW && column < sqlite3_column_count(*statement); column++)
            if (sqlite3_column_type(*statement, column) >= SQLITE_TEXT) sqlite3_column_blob(*statement, column);
    }
    // At its start a server tries this and that.
    if (marks == 1 && result != SQLITE_ROW && result != SQLITE_DONE)
        fail(texts[text].sql, sqlite3_errmsg(connections[connection]));
    sqlite3_reset(*statement);
    sqlite3_clear_bindings(*statement);
}

static void execute(int connection) {
    uint32_t length = number();
    char *sql = strndup((const char *)part(length), length);
    sqlite3_exec(connections[connection], sql, NULL, NULL, NULL);
    free(sql);
}

static void open_connection(int connection, const char *ledger) {
    int flags = (int)number();
    if (sqlite3_open_v2(ledger, &connections[connection], flags, NULL) != SQLITE_OK)
        fail(ledger, sqlite3_errmsg(connections[connection]));
}

static double replay(const char *ledger, int *runs) {
    double began = 0;
    while (marks < 2) {
        struct head head;
        memcpy(&head, part(sizeof head), sizeof head);
        if (head.connection >= CONNECTIONS) fail("the recording", "too many connections");
        int connection = head.connection;
        uint32_t text;
        switch ((enum event)head.event) {
        case OPEN: open_connection(connection, ledger); break;
        case CLOSE: close_connection(connection); break;
        case TEXT:
            text = number();
            if (text >= TEXTS) fail("the recording", "too many statements");
            texts[text].length = number();
            texts[text].sql = strndup((const char *)part(texts[text].length), texts[text].length);
            break;
        case RUN:
            run(connection);
            *runs += marks == 1;
            break;
        case EXEC: execute(connection); break;
        case MARK:
            if (++marks == 1) began = now();
            break;
        default: fail("the recording", "it ends before its second mark");
        }
    }
    return now() - began;
}

int main(int count, char **arguments) {
    if (count != 4) fail("usage", "floor LEDGER RECORDING RECEIPTS");
    int descriptor = open(arguments[2], O_RDONLY);
    struct stat status;
    if (descriptor < 0 || fstat(descriptor, &status)) fail(arguments[2], "cannot be read");
    at = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (at == MAP_FAILED) fail(arguments[2], "cannot be mapped");
    stop = at + status.st_size;
    // As the server does: nothing counts SQLite's allocations, which takes a mutex for each.
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    int receipts = 0, runs = 0;
    double verification = verify(arguments[3], &receipts), statement_seconds = replay(arguments[1], &runs);
    printf(
        "{\"receipts\": %d, \"statements\": %d, \"verification_seconds\": %.6f, \"statement_seconds\": %.6f}\n",
        receipts, runs, verification, statement_seconds);
}
