#define _GNU_SOURCE
#include "CFileSystem.h"

#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#endif

int docversions_keep_writers_out(int file) {
#ifdef __linux__
  // Who opens it for writing meanwhile waits, which sends a signal: one that nothing minds, unlike SIGIO.
  if (fcntl(file, F_SETSIG, SIGURG) != 0) return -1;
  if (fcntl(file, F_SETLEASE, F_RDLCK) == 0) return 0;
  return errno == EAGAIN ? 1 : -1;
#else
  (void)file;
  return -1;
#endif
}

void docversions_let_writers_in(int file) {
#ifdef __linux__
  fcntl(file, F_SETLEASE, F_UNLCK);
#else
  (void)file;
#endif
}
