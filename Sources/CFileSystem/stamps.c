#include "CFileSystem.h"

#ifdef __linux__
#include <linux/magic.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <sys/vfs.h>

#ifndef XFS_SUPER_MAGIC
#define XFS_SUPER_MAGIC 0x58465342
#endif
#endif

int docversions_is_changed_here_only(int descriptor) {
#ifdef __linux__
  struct statfs status;
  if (fstatfs(descriptor, &status) != 0) return 0;
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
  (void)descriptor;
  return 0;
#endif
}

int docversions_stamps_each_change(int descriptor) {
#ifdef __linux__
  struct utsname system;
  int major = 0, minor = 0;
  if (uname(&system) != 0 || sscanf(system.release, "%d.%d", &major, &minor) != 2) return 0;
  if (major < 6 || (major == 6 && minor < 13)) return 0;
#endif
  // These have times of more than one grain.
  return docversions_is_changed_here_only(descriptor);
}
