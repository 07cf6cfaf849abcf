#define _GNU_SOURCE
#include "CSQLiteSession.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

#include "library.h"

// SQLite's interface is stable: the few functions and numbers that are used need no header.
typedef struct sqlite3 sqlite3;
typedef struct sqlite3_session sqlite3_session;
typedef struct sqlite3_changeset_iter sqlite3_changeset_iter;

#define OK 0
#define ERROR 1
#define ENABLE_TRIGGER 1003
#define CHANGESET_ABORT 2

#define FUNCTIONS(FUNCTION)                                                              \
  FUNCTION(int, sqlite3_db_config, (sqlite3 *, int, ...))                                \
  FUNCTION(void, sqlite3_free, (void *))                                                 \
  FUNCTION(int, sqlite3changeset_apply,                                                  \
    (sqlite3 *, int, void *, int (*)(void *, const char *),                              \
      int (*)(void *, int, sqlite3_changeset_iter *), void *))                           \
  FUNCTION(int, sqlite3changeset_invert, (int, const void *, int *, void **))            \
  FUNCTION(int, sqlite3session_attach, (sqlite3_session *, const char *))                \
  FUNCTION(int, sqlite3session_changeset, (sqlite3_session *, int *, void **))           \
  FUNCTION(int, sqlite3session_create, (sqlite3 *, const char *, sqlite3_session **))    \
  FUNCTION(void, sqlite3session_delete, (sqlite3_session *))

static struct {
#define FIELD(result, name, arguments) result(*name) arguments;
  FUNCTIONS(FIELD)
} sqlite;
static int is_found;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find(void) {
  // The one that the connection is of, and no other.
  void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  if (!library) return;
#define FIND(result, name, arguments) \
  if (!(sqlite.name = (result(*) arguments)dlsym(library, #name))) return;
  FUNCTIONS(FIND)
  is_found = 1;
}

void *docversions_session_begin(void *connection) {
  pthread_once(&once, find);
  sqlite3_session *session = NULL;
  if (!is_found || sqlite.sqlite3session_create(connection, "main", &session) != OK) return NULL;
  if (sqlite.sqlite3session_attach(session, NULL) != OK) {
    sqlite.sqlite3session_delete(session);
    return NULL;
  }
  return session;
}

void docversions_session_end(void *session) { sqlite.sqlite3session_delete(session); }

int docversions_session_changeset(void *session, int *size, void **changeset) {
  return sqlite.sqlite3session_changeset(session, size, changeset);
}

int docversions_changeset_invert(
  const void *changeset, int size, int *inverted_size, void **inverted) {
  pthread_once(&once, find);
  if (!is_found) return ERROR;
  return sqlite.sqlite3changeset_invert(size, changeset, inverted_size, inverted);
}

void docversions_changeset_free(void *changeset) { sqlite.sqlite3_free(changeset); }

static int abort_apply(void *context, int conflict, sqlite3_changeset_iter *change) {
  return CHANGESET_ABORT;
}

int docversions_changeset_apply(void *connection, void *changeset, int size) {
  pthread_once(&once, find);
  if (!is_found) return ERROR;
  int had_triggers = 1;
  // What triggers did is part of the change.
  sqlite.sqlite3_db_config(connection, ENABLE_TRIGGER, -1, &had_triggers);
  sqlite.sqlite3_db_config(connection, ENABLE_TRIGGER, 0, NULL);
  const int result = sqlite.sqlite3changeset_apply(connection, size, changeset, NULL, abort_apply, NULL);
  sqlite.sqlite3_db_config(connection, ENABLE_TRIGGER, had_triggers, NULL);
  return result;
}
