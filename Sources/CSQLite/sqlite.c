#define _GNU_SOURCE
#include "CSQLite.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "library.h"

// SQLite's interface is stable: the few functions and numbers that are used need no header.
typedef struct sqlite3 sqlite3;
typedef struct sqlite3_backup sqlite3_backup;

#define OK 0
#define BUSY 5
#define LOCKED 6
#define READONLY 8
#define FULL 13
#define DONE 101
#define OPEN_READONLY 0x1
#define OPEN_READWRITE 0x2
#define OPEN_CREATE 0x4
#define NO_CHECKPOINT_ON_CLOSE 1006
#define CHECKPOINT_TRUNCATE 3

#define FUNCTIONS(FUNCTION)                                                       \
  FUNCTION(sqlite3_backup *, sqlite3_backup_init,                                 \
    (sqlite3 *, const char *, sqlite3 *, const char *))                           \
  FUNCTION(int, sqlite3_backup_step, (sqlite3_backup *, int))                     \
  FUNCTION(int, sqlite3_backup_finish, (sqlite3_backup *))                        \
  FUNCTION(int, sqlite3_busy_timeout, (sqlite3 *, int))                           \
  FUNCTION(int, sqlite3_close, (sqlite3 *))                                       \
  FUNCTION(int, sqlite3_db_config, (sqlite3 *, int, ...))                         \
  FUNCTION(const char *, sqlite3_errmsg, (sqlite3 *))                             \
  FUNCTION(int, sqlite3_exec,                                                     \
    (sqlite3 *, const char *, int (*)(void *, int, char **, char **), void *, char **)) \
  FUNCTION(int, sqlite3_open_v2, (const char *, sqlite3 **, int, const char *))         \
  FUNCTION(int, sqlite3_wal_checkpoint_v2, (sqlite3 *, const char *, int, int *, int *))

struct functions {
#define FIELD(result, name, arguments) result(*name) arguments;
  FUNCTIONS(FIELD)
};

static int find(void *library, struct functions *found) {
#define FIND(result, name, arguments) \
  if (!(found->name = (result(*) arguments)dlsym(library, #name))) return 0;
  FUNCTIONS(FIND)
  return 1;
}

int docversions_sqlite_is_shared(void) {
  void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  if (library) dlclose(library);
  return library != NULL;
}

int docversions_sqlite_is_used(void) {
  return docversions_sqlite_is_shared() || dlsym(RTLD_DEFAULT, "sqlite3_open_v2") != NULL;
}

/// Copies between open databases.
static enum docversions_sqlite_result copy_pages(
  const struct functions *sqlite, sqlite3 *from, sqlite3 *to, const char **reason) {
  // The copy needs neither a journal nor the disk: it is read once, and removed.
  sqlite->sqlite3_exec(to, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", NULL, NULL, NULL);
  int result = READONLY;
  int end = OK;
  // A journal that a program begins just now looks like one that a crash has left, which only a writer rolls back.
  for (int attempt = 0; attempt < 20 && (result & 0xff) == READONLY; attempt++) {
    if (attempt > 0) usleep(100000);
    sqlite3_backup *backup = sqlite->sqlite3_backup_init(to, "main", from, "main");
    *reason = sqlite->sqlite3_errmsg(to);
    if (!backup) return DOCVERSIONS_SQLITE_FAILED;
    // All pages in one step, and so in one moment.
    result = sqlite->sqlite3_backup_step(backup, -1);
    end = sqlite->sqlite3_backup_finish(backup);
  }
  if (result == DONE && end == OK) return DOCVERSIONS_SQLITE_COPIED;
  *reason = sqlite->sqlite3_errmsg(result == BUSY || result == LOCKED ? from : to);
  const int code = result & 0xff;
  if (code == FULL || end == FULL) return DOCVERSIONS_SQLITE_FULL;
  return code == BUSY || code == LOCKED ? DOCVERSIONS_SQLITE_BUSY : DOCVERSIONS_SQLITE_FAILED;
}

enum docversions_sqlite_result docversions_sqlite_copy(
  const char *database, const char *copy, char *message, int message_size) {
  struct functions sqlite;
  message[0] = 0;
  // Never unloaded: the process may use it for its own databases later.
  void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!library || !find(library, &sqlite)) return DOCVERSIONS_SQLITE_MISSING;
  sqlite3 *from = NULL;
  sqlite3 *to = NULL;
  const char *reason = "it can’t be opened";
  enum docversions_sqlite_result result = DOCVERSIONS_SQLITE_FAILED;
  if (sqlite.sqlite3_open_v2(database, &from, OPEN_READONLY, NULL) == OK &&
      sqlite.sqlite3_open_v2(copy, &to, OPEN_READWRITE | OPEN_CREATE, NULL) == OK) {
    sqlite.sqlite3_busy_timeout(from, 2000);
    sqlite.sqlite3_db_config(from, NO_CHECKPOINT_ON_CLOSE, 1, NULL);
    result = copy_pages(&sqlite, from, to, &reason);
  }
  snprintf(message, (size_t)message_size, "%s", reason);
  if (to) sqlite.sqlite3_close(to);
  if (from) sqlite.sqlite3_close(from);
  return result;
}

enum docversions_sqlite_result docversions_sqlite_recover(
  const char *database, char *message, int message_size) {
  struct functions sqlite;
  message[0] = 0;
  void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!library || !find(library, &sqlite)) return DOCVERSIONS_SQLITE_MISSING;
  sqlite3 *connection = NULL;
  int result = sqlite.sqlite3_open_v2(database, &connection, OPEN_READWRITE, NULL);
  // The first read takes an unfinished change back, and finds the log. It reads no schema, which may be damaged.
  if (result == OK)
    result = sqlite.sqlite3_exec(
      connection, "PRAGMA synchronous = OFF; PRAGMA schema_version", NULL, NULL, NULL);
  if (result == OK)
    result = sqlite.sqlite3_wal_checkpoint_v2(connection, "main", CHECKPOINT_TRUNCATE, NULL, NULL);
  snprintf(
    message, (size_t)message_size, "%s",
    connection ? sqlite.sqlite3_errmsg(connection) : "there is too little memory");
  if (connection) sqlite.sqlite3_close(connection);
  if ((result & 0xff) == FULL) return DOCVERSIONS_SQLITE_FULL;
  return result == OK ? DOCVERSIONS_SQLITE_COPIED : DOCVERSIONS_SQLITE_FAILED;
}
