// Databases in memory: what a merge of databases needs of SQLite. Nothing is linked with it; it is loaded when it is first
// used. The calls are SQLite's own, and return its codes.
#ifndef DOCVERSIONS_CSQLITE_MEMORY_H
#define DOCVERSIONS_CSQLITE_MEMORY_H

#include <stdint.h>

/// Opens a connection without a file; NULL where there is no libsqlite3, or it lacks a function.
///
/// Nothing that a database brings runs: no triggers, and of functions only those without effects.
void *docversions_memory_open(void);
void docversions_memory_close(void *connection);

/// Loads a whole database as a schema of the connection: "main", or a name that is attached. Nothing of the bytes is kept.
int docversions_memory_load(void *connection, const char *schema, const uint8_t *bytes, int64_t size);

/// Returns the bytes of a schema, to be freed by ``docversions_memory_free``; NULL where memory is short.
uint8_t *docversions_memory_bytes(void *connection, const char *schema, int64_t *size);
void docversions_memory_free(void *bytes);

/// Calls a function now and then; where it returns another number than 0, the statement ends early.
void docversions_memory_watch(void *connection, int (*is_cancelled)(void *), void *context);

const char *docversions_memory_message(void *connection);
int docversions_memory_changes(void *connection);

int docversions_statement_prepare(void *connection, const char *sql, int size, void **statement);
int docversions_statement_step(void *statement);
int docversions_statement_reset(void *statement);
void docversions_statement_finalize(void *statement);

int docversions_statement_bind_null(void *statement, int index);
int docversions_statement_bind_integer(void *statement, int index, int64_t value);
int docversions_statement_bind_real(void *statement, int index, double value);
int docversions_statement_bind_text(void *statement, int index, const uint8_t *bytes, int64_t size);
int docversions_statement_bind_blob(void *statement, int index, const uint8_t *bytes, int64_t size);

int docversions_statement_column_count(void *statement);
/// The type of a value: 1 integer, 2 real, 3 text, 4 blob, 5 null.
int docversions_statement_column_type(void *statement, int column);
int64_t docversions_statement_column_integer(void *statement, int column);
double docversions_statement_column_real(void *statement, int column);
/// The bytes of a text, as UTF-8, or of a blob; valid until the next step.
const uint8_t *docversions_statement_column_bytes(void *statement, int column, int *size);

#endif
