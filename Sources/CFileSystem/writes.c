#define _GNU_SOURCE
#include "CFileSystem.h"

#include <unistd.h>

void docversions_wait_for_writes(int descriptor) {
  // The search for a hole takes the lock that a writer holds from its first byte to its last: so on ext4,
  // btrfs and tmpfs. XFS reads nothing half-written anyway.
  (void)lseek(descriptor, 0, SEEK_HOLE);
  (void)lseek(descriptor, 0, SEEK_SET);
}
