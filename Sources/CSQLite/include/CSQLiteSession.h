// SQLite's sessions: what a transaction changed in the rows of a database, so that it can be taken back. Nothing is linked with
// SQLite; it is loaded when it is first used. The calls are SQLite's own, and return its codes.
#ifndef DOCVERSIONS_CSQLITE_SESSION_H
#define DOCVERSIONS_CSQLITE_SESSION_H

#include <stdint.h>

/// Begins to record the changes of all tables with a primary key that are made through a connection; NULL where the SQLite of
/// this system has no sessions.
void *docversions_session_begin(void *connection);
/// Ends recording; before the connection is closed.
void docversions_session_end(void *session);

/// Returns what was changed since recording began, to be freed by ``docversions_changeset_free``.
int docversions_session_changeset(void *session, int *size, void **changeset);
/// Returns the opposite of a change, to be freed by ``docversions_changeset_free``.
int docversions_changeset_invert(const void *changeset, int size, int *inverted_size, void **inverted);
void docversions_changeset_free(void *changeset);

/// Makes a change again, without triggers; it ends, and is taken back, where a row is not as it was.
int docversions_changeset_apply(void *connection, void *changeset, int size);

#endif
