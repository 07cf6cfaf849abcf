#define _GNU_SOURCE
#include "CSQLiteMemory.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "library.h"

// SQLite's interface is stable: the few functions and numbers that are used need no header.
typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;

#define OK 0
#define NOMEM 7
#define TEXT 3
#define OPEN_READWRITE 0x2
#define OPEN_CREATE 0x4
#define OPEN_MEMORY 0x80
#define OPEN_FULLMUTEX 0x10000
#define ENABLE_FKEY 1002
#define ENABLE_TRIGGER 1003
#define DEFENSIVE 1010
#define TRUSTED_SCHEMA 1017
#define FREE_ON_CLOSE 1
#define RESIZEABLE 2
#define UTF8 1
#define TRANSIENT ((void (*)(void *))-1)

#define FUNCTIONS(FUNCTION)                                                              \
  FUNCTION(int, sqlite3_bind_blob64,                                                     \
    (sqlite3_stmt *, int, const void *, uint64_t, void (*)(void *)))                     \
  FUNCTION(int, sqlite3_bind_double, (sqlite3_stmt *, int, double))                      \
  FUNCTION(int, sqlite3_bind_int64, (sqlite3_stmt *, int, int64_t))                      \
  FUNCTION(int, sqlite3_bind_null, (sqlite3_stmt *, int))                                \
  FUNCTION(int, sqlite3_bind_text64,                                                     \
    (sqlite3_stmt *, int, const char *, uint64_t, void (*)(void *), unsigned char))      \
  FUNCTION(int, sqlite3_bind_zeroblob, (sqlite3_stmt *, int, int))                       \
  FUNCTION(int, sqlite3_changes, (sqlite3 *))                                            \
  FUNCTION(int, sqlite3_close_v2, (sqlite3 *))                                           \
  FUNCTION(const void *, sqlite3_column_blob, (sqlite3_stmt *, int))                     \
  FUNCTION(int, sqlite3_column_bytes, (sqlite3_stmt *, int))                             \
  FUNCTION(int, sqlite3_column_count, (sqlite3_stmt *))                                  \
  FUNCTION(double, sqlite3_column_double, (sqlite3_stmt *, int))                         \
  FUNCTION(int64_t, sqlite3_column_int64, (sqlite3_stmt *, int))                         \
  FUNCTION(const unsigned char *, sqlite3_column_text, (sqlite3_stmt *, int))            \
  FUNCTION(int, sqlite3_column_type, (sqlite3_stmt *, int))                              \
  FUNCTION(int, sqlite3_db_config, (sqlite3 *, int, ...))                                \
  FUNCTION(int, sqlite3_deserialize,                                                     \
    (sqlite3 *, const char *, unsigned char *, int64_t, int64_t, unsigned))              \
  FUNCTION(const char *, sqlite3_errmsg, (sqlite3 *))                                    \
  FUNCTION(int, sqlite3_extended_result_codes, (sqlite3 *, int))                         \
  FUNCTION(int, sqlite3_finalize, (sqlite3_stmt *))                                      \
  FUNCTION(void, sqlite3_free, (void *))                                                 \
  FUNCTION(void *, sqlite3_malloc64, (uint64_t))                                         \
  FUNCTION(int, sqlite3_open_v2, (const char *, sqlite3 **, int, const char *))          \
  FUNCTION(int, sqlite3_prepare_v2,                                                      \
    (sqlite3 *, const char *, int, sqlite3_stmt **, const char **))                      \
  FUNCTION(void, sqlite3_progress_handler, (sqlite3 *, int, int (*)(void *), void *))    \
  FUNCTION(int, sqlite3_reset, (sqlite3_stmt *))                                         \
  FUNCTION(unsigned char *, sqlite3_serialize,                                           \
    (sqlite3 *, const char *, int64_t *, unsigned))                                      \
  FUNCTION(int, sqlite3_step, (sqlite3_stmt *))

static struct {
#define FIELD(result, name, arguments) result(*name) arguments;
  FUNCTIONS(FIELD)
} sqlite;
static int is_found;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find(void) {
  // Never unloaded: the process may use it for its own databases later.
  void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
#define FIND(result, name, arguments) \
  if (!(sqlite.name = (result(*) arguments)dlsym(library, #name))) return;
  FUNCTIONS(FIND)
  is_found = 1;
}

void *docversions_memory_open(void) {
  pthread_once(&once, find);
  if (!is_found) return NULL;
  sqlite3 *connection = NULL;
  const int flags = OPEN_READWRITE | OPEN_CREATE | OPEN_MEMORY | OPEN_FULLMUTEX;
  if (sqlite.sqlite3_open_v2(":memory:", &connection, flags, NULL) != OK) {
    if (connection) sqlite.sqlite3_close_v2(connection);
    return NULL;
  }
  sqlite.sqlite3_extended_result_codes(connection, 1);
  sqlite.sqlite3_db_config(connection, ENABLE_FKEY, 0, NULL);
  sqlite.sqlite3_db_config(connection, ENABLE_TRIGGER, 0, NULL);
  sqlite.sqlite3_db_config(connection, DEFENSIVE, 1, NULL);
  sqlite.sqlite3_db_config(connection, TRUSTED_SCHEMA, 0, NULL);
  return connection;
}

void docversions_memory_close(void *connection) { sqlite.sqlite3_close_v2(connection); }

int docversions_memory_load(
  void *connection, const char *schema, const uint8_t *bytes, int64_t size) {
  unsigned char *copy = sqlite.sqlite3_malloc64((uint64_t)size + 1);
  if (!copy) return NOMEM;
  memcpy(copy, bytes, (size_t)size);
  return sqlite.sqlite3_deserialize(
    connection, schema, copy, size, size, FREE_ON_CLOSE | RESIZEABLE);
}

uint8_t *docversions_memory_bytes(void *connection, const char *schema, int64_t *size) {
  return sqlite.sqlite3_serialize(connection, schema, size, 0);
}

void docversions_memory_free(void *bytes) { sqlite.sqlite3_free(bytes); }

void docversions_memory_watch(
  void *connection, int (*is_cancelled)(void *), void *context) {
  sqlite.sqlite3_progress_handler(connection, 100000, is_cancelled, context);
}

const char *docversions_memory_message(void *connection) {
  return sqlite.sqlite3_errmsg(connection);
}

int docversions_memory_changes(void *connection) { return sqlite.sqlite3_changes(connection); }

int docversions_statement_prepare(void *connection, const char *sql, int size, void **statement) {
  return sqlite.sqlite3_prepare_v2(connection, sql, size, (sqlite3_stmt **)statement, NULL);
}

int docversions_statement_step(void *statement) { return sqlite.sqlite3_step(statement); }
int docversions_statement_reset(void *statement) { return sqlite.sqlite3_reset(statement); }
void docversions_statement_finalize(void *statement) { sqlite.sqlite3_finalize(statement); }

int docversions_statement_bind_null(void *statement, int index) {
  return sqlite.sqlite3_bind_null(statement, index);
}

int docversions_statement_bind_integer(void *statement, int index, int64_t value) {
  return sqlite.sqlite3_bind_int64(statement, index, value);
}

int docversions_statement_bind_real(void *statement, int index, double value) {
  return sqlite.sqlite3_bind_double(statement, index, value);
}

int docversions_statement_bind_text(
  void *statement, int index, const uint8_t *bytes, int64_t size) {
  const char *text = size ? (const char *)bytes : "";
  return sqlite.sqlite3_bind_text64(statement, index, text, (uint64_t)size, TRANSIENT, UTF8);
}

int docversions_statement_bind_blob(
  void *statement, int index, const uint8_t *bytes, int64_t size) {
  if (!size) return sqlite.sqlite3_bind_zeroblob(statement, index, 0);
  return sqlite.sqlite3_bind_blob64(statement, index, bytes, (uint64_t)size, TRANSIENT);
}

int docversions_statement_column_count(void *statement) {
  return sqlite.sqlite3_column_count(statement);
}

int docversions_statement_column_type(void *statement, int column) {
  return sqlite.sqlite3_column_type(statement, column);
}

int64_t docversions_statement_column_integer(void *statement, int column) {
  return sqlite.sqlite3_column_int64(statement, column);
}

double docversions_statement_column_real(void *statement, int column) {
  return sqlite.sqlite3_column_double(statement, column);
}

const uint8_t *docversions_statement_column_bytes(void *statement, int column, int *size) {
  const int is_text = sqlite.sqlite3_column_type(statement, column) == TEXT;
  const uint8_t *bytes = is_text ? sqlite.sqlite3_column_text(statement, column)
                                 : sqlite.sqlite3_column_blob(statement, column);
  *size = sqlite.sqlite3_column_bytes(statement, column);
  return bytes;
}
