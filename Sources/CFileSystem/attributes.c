#define _GNU_SOURCE
#include "CFileSystem.h"

#include <stdlib.h>
#include <string.h>

#ifdef __linux__

#include <sys/xattr.h>

static void copy_attribute(const char *from, const char *to, const char *name) {
  ssize_t size = lgetxattr(from, name, NULL, 0);
  if (size < 0) return;
  char *value = malloc(size > 0 ? (size_t)size : 1);
  if (value != NULL && lgetxattr(from, name, value, (size_t)size) == size) {
    (void)lsetxattr(to, name, value, (size_t)size, 0);
  }
  free(value);
}

void docversions_copy_attributes(const char *from, const char *to) {
  ssize_t size = llistxattr(from, NULL, 0);
  if (size <= 0) return;
  char *names = malloc((size_t)size);
  if (names == NULL) return;
  size = llistxattr(from, names, (size_t)size);
  for (ssize_t start = 0; start < size; start += (ssize_t)strlen(names + start) + 1) {
    copy_attribute(from, to, names + start);
  }
  free(names);
}

#else

#include <copyfile.h>

void docversions_copy_attributes(const char *from, const char *to) {
  (void)copyfile(from, to, NULL, COPYFILE_XATTR | COPYFILE_ACL | COPYFILE_NOFOLLOW);
}

#endif
