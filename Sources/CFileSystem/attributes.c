#define _GNU_SOURCE
#include "CFileSystem.h"

#include <stdlib.h>
#include <string.h>

#ifdef __linux__

#include <sys/xattr.h>

static void copy_attribute(int from, int to, const char *name) {
  ssize_t size = fgetxattr(from, name, NULL, 0);
  if (size < 0) return;
  char *value = malloc(size > 0 ? (size_t)size : 1);
  if (value != NULL && fgetxattr(from, name, value, (size_t)size) == size) {
    (void)fsetxattr(to, name, value, (size_t)size, 0);
  }
  free(value);
}

void docversions_copy_attributes(int from, int to) {
  ssize_t size = flistxattr(from, NULL, 0);
  if (size <= 0) return;
  char *names = malloc((size_t)size);
  if (names == NULL) return;
  size = flistxattr(from, names, (size_t)size);
  for (ssize_t start = 0; start < size; start += (ssize_t)strlen(names + start) + 1) {
    copy_attribute(from, to, names + start);
  }
  free(names);
}

#else

#include <copyfile.h>

void docversions_copy_attributes(int from, int to) {
  (void)fcopyfile(from, to, NULL, COPYFILE_XATTR | COPYFILE_ACL);
}

#endif
