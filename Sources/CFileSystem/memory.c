#define _GNU_SOURCE
#include "CFileSystem.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#ifdef __linux__
#include <stddef.h>
#include <sys/resource.h>
#endif

void docversions_limit_memory(pid_t process, uint64_t bytes) {
#ifdef __linux__
  const struct rlimit limit = {.rlim_cur = bytes, .rlim_max = bytes};
  prlimit(process, RLIMIT_AS, &limit, NULL);
#else
  (void)process;
  (void)bytes;
#endif
}

void docversions_share_memory(void) {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 1);
#endif
}

void docversions_give_back_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}
