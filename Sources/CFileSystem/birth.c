#define _GNU_SOURCE
#include "CFileSystem.h"

#include <fcntl.h>
#include <sys/stat.h>

int64_t docversions_birth_time(const char *path) {
#ifdef __linux__
  struct statx status;
  if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_BTIME, &status) != 0) return 0;
  if (!(status.stx_mask & STATX_BTIME)) return 0;
  return (int64_t)status.stx_btime.tv_sec * 1000000000 + status.stx_btime.tv_nsec;
#else
  struct stat status;
  if (lstat(path, &status) != 0) return 0;
  return (int64_t)status.st_birthtimespec.tv_sec * 1000000000 + status.st_birthtimespec.tv_nsec;
#endif
}
