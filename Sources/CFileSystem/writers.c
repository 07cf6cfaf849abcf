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

int docversions_is_open_for_writing(int file) {
  int result = docversions_keep_writers_out(file);
#ifdef __linux__
  if (result == 0) fcntl(file, F_SETLEASE, F_UNLCK);
#endif
  return result;
}
