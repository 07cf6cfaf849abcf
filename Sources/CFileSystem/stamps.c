#include "CFileSystem.h"

#ifdef __linux__
#include <linux/magic.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#endif

int docversions_stamps_each_change(int descriptor) {
#ifdef __linux__
  struct utsname system;
  struct statfs status;
  int major = 0, minor = 0;
  if (uname(&system) != 0 || sscanf(system.release, "%d.%d", &major, &minor) != 2) return 0;
  if (major < 6 || (major == 6 && minor < 13) || fstatfs(descriptor, &status) != 0) return 0;
  switch ((unsigned long)status.f_type) {
    case BTRFS_SUPER_MAGIC:
    case EXT4_SUPER_MAGIC:
    case TMPFS_MAGIC:
    case XFS_SUPER_MAGIC:
      return 1;
    default:
      return 0;
  }
#else
  return 0;
#endif
}
