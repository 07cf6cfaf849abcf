#pragma once

// The name of SQLite's library, which is loaded where it is first needed.
#ifdef __APPLE__
#define LIBRARY "libsqlite3.dylib"
#else
#define LIBRARY "libsqlite3.so.0"
#endif
