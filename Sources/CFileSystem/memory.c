#define _GNU_SOURCE
#include "CFileSystem.h"

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
