#include "CFileSystem.h"

#include <sys/stat.h>

#ifdef __linux__
#include <linux/magic.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <sys/vfs.h>

#ifndef XFS_SUPER_MAGIC
#define XFS_SUPER_MAGIC 0x58465342
#endif

/// Whether this is Linux of at least a version.
static int is_linux(int least_major, int least_minor) {
  struct utsname system;
  int major = 0, minor = 0;
  if (uname(&system) != 0 || sscanf(system.release, "%d.%d", &major, &minor) != 2) return 0;
  return major > least_major || (major == least_major && minor >= least_minor);
}
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

#ifdef __linux__
// From <linux/magic.h> of later kernels, and from file systems that are not in the kernel.
#define DOCVERSIONS_EXFAT 0x2011bab0
#define DOCVERSIONS_F2FS 0xf2f52010
#define DOCVERSIONS_NTFS 0x5346544e
#define DOCVERSIONS_NTFS3 0x7366746e
#define DOCVERSIONS_OVERLAY 0x794c7630
#define DOCVERSIONS_ZFS 0x2fc12fc1
#endif

int docversions_keeps_permission_bits(int descriptor) {
#ifdef __linux__
  struct statfs status;
  if (fstatfs(descriptor, &status) != 0) return -1;
  switch ((unsigned long)status.f_type) {
    case BTRFS_SUPER_MAGIC:
    case DOCVERSIONS_F2FS:
    case DOCVERSIONS_OVERLAY:
    case DOCVERSIONS_ZFS:
    case EXT4_SUPER_MAGIC:
    case NFS_SUPER_MAGIC:
    case RAMFS_MAGIC:
    case TMPFS_MAGIC:
    case XFS_SUPER_MAGIC:
      return 1;
    case DOCVERSIONS_EXFAT:
    case MSDOS_SUPER_MAGIC:
      return 0;
    default:
      return -1;
  }
#else
  (void)descriptor;
  return -1;
#endif
}

static long nanoseconds_of_change(const struct stat *status) {
#ifdef __APPLE__
  return status->st_ctimespec.tv_nsec;
#else
  return status->st_ctim.tv_nsec;
#endif
}

int docversions_stamps_each_change(int descriptor) {
#ifdef __linux__
  if (!is_linux(6, 13)) return 0;
#endif
  // ext4 with small inodes stores seconds only, so its times have no fraction. Another file whose time happens to have
  // none is rare, and merely read more often.
  struct stat status;
  if (fstat(descriptor, &status) != 0 || nanoseconds_of_change(&status) == 0) return 0;
  // These have times of more than one grain.
  return docversions_is_changed_here_only(descriptor);
}

int docversions_can_synchronize_all(int descriptor) {
#ifdef __linux__
  return is_linux(5, 8) && docversions_is_changed_here_only(descriptor);
#else
  (void)descriptor;
  return 0;
#endif
}
