#define _GNU_SOURCE
#include "CFileSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

void docversions_wait_for_writes(int descriptor) {
  // The search for a hole takes the lock that a writer holds from its first byte to its last: so on ext4,
  // btrfs and tmpfs. XFS reads nothing half-written anyway.
  (void)lseek(descriptor, 0, SEEK_HOLE);
}

static _Thread_local int defers_waits = 0;

int docversions_defer_waits(int is_deferring) {
  int before = defers_waits;
  defers_waits = is_deferring;
  return before;
}

int docversions_synchronize(int descriptor) {
  if (defers_waits) return 0;
#ifdef __APPLE__
  return fcntl(descriptor, F_FULLFSYNC);
#else
  return fsync(descriptor);
#endif
}

int docversions_begin_synchronizing(int descriptor) {
  if (defers_waits) return 0;
#ifdef __linux__
  if (sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE) == 0) return 0;
  // All else says that there is no such thing to begin for this item.
  return errno == EIO || errno == ENOSPC || errno == EDQUOT ? -1 : 0;
#else
  (void)descriptor;
  return 0;
#endif
}

int docversions_synchronize_all(int descriptor) {
  if (defers_waits) return 0;
#ifdef __linux__
  return syncfs(descriptor);
#else
  (void)descriptor;
  errno = ENOTSUP;
  return -1;
#endif
}
