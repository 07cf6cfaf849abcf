#define _GNU_SOURCE
#include "CFileSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

// Locks of an open file description: the system's headers name them from some version on.
#ifndef F_OFD_SETLK
#ifdef __APPLE__
#define F_OFD_SETLK 90
#else
#define F_OFD_SETLK 37
#endif
#endif

int docversions_lock_bytes(int file, int kind, int64_t first, int64_t count) {
  struct flock lock;
  memset(&lock, 0, sizeof lock);
  lock.l_type = (short)(kind == 0 ? F_UNLCK : kind == 1 ? F_RDLCK : F_WRLCK);
  lock.l_whence = SEEK_SET;
  lock.l_start = (off_t)first;
  lock.l_len = (off_t)count;
  int result;
  do {
    result = fcntl(file, F_OFD_SETLK, &lock);
  } while (result != 0 && errno == EINTR);
  if (result != 0 && errno == EACCES) { errno = EAGAIN; }
  return result;
}
