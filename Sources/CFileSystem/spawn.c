#define _GNU_SOURCE
#include "CFileSystem.h"

void docversions_close_others(posix_spawn_file_actions_t *actions, int from) {
#if defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 34)
  posix_spawn_file_actions_addclosefrom_np(actions, from);
#endif
#endif
}
