// SQLite's online backup, for databases that a program has open. Nothing is linked with SQLite: few documents need it,
// so it is loaded when it is first used.
#ifndef DOCVERSIONS_CSQLITE_H
#define DOCVERSIONS_CSQLITE_H

#include "CSQLiteMemory.h"
#include "CSQLiteSession.h"

/// What came of copying a database.
enum docversions_sqlite_result {
  DOCVERSIONS_SQLITE_COPIED = 0,
  /// There is no libsqlite3 here, or it lacks a function.
  DOCVERSIONS_SQLITE_MISSING = 1,
  /// A program keeps the database locked.
  DOCVERSIONS_SQLITE_BUSY = 2,
  /// SQLite refuses the database or the copy.
  DOCVERSIONS_SQLITE_FAILED = 3,
  /// There is no room for the copy.
  DOCVERSIONS_SQLITE_FULL = 4,
};

/// Returns whether this process uses SQLite: then it may have a database open.
int docversions_sqlite_is_used(void);

/// Returns whether the SQLite that this process uses is the one that ``docversions_sqlite_copy`` uses: two of them in
/// one process do not know of each other's locks.
int docversions_sqlite_is_shared(void);

/// Copies a database as it is in one moment to a file that is empty, without a checkpoint: the database is opened for
/// reading only. The message says what SQLite says.
enum docversions_sqlite_result docversions_sqlite_copy(
  const char *database, const char *copy, char *message, int message_size);

/// Puts a database together with the log or the journal beside it, as its program does when it opens the database the next
/// time. The message says what SQLite says.
enum docversions_sqlite_result docversions_sqlite_recover(
  const char *database, char *message, int message_size);

#endif
