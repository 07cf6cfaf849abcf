// What all wrappers share: paths, scope, numbering, and the order of the hooks.
#include "injector.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static const char *root;
static const char *log_path;
static bool counts_reads;
static long last_number;

static void take_turn(void) { pthread_mutex_lock(&turn); }
static void pass_turn(void) { pthread_mutex_unlock(&turn); }

/// A child starts counting anew, and with a lock of its own.
static void start_child(void) {
  last_number = 0;
  pthread_mutex_init(&turn, NULL);
}

static void read_environment(void) {
  const char *count = getenv("FAULT_COUNT");
  if (count != NULL && strcmp(count, "reads") != 0 && strcmp(count, "changes") != 0) {
    injector_usage("FAULT_COUNT", count);
  }
  counts_reads = count != NULL && strcmp(count, "reads") == 0;
  log_path = getenv("FAULT_LOG");
  pthread_atfork(take_turn, pass_turn, start_child);
  root = getenv("FAULT_ROOT");
  if (root != NULL && root[0] != '/') injector_usage("FAULT_ROOT", root);
}

void injector_usage(const char *variable, const char *value) {
  dprintf(STDERR_FILENO, "fault injector: %s is “%s”\n", variable, value == NULL ? "" : value);
  _exit(99);
}

void *real_function(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (function == NULL) injector_usage("a function of the C library", name);
  return function;
}

bool is_injecting(void) {
  int error = errno;
  pthread_once(&once, read_environment);
  errno = error;
  return root != NULL;
}

bool is_counting_reads(void) { return is_injecting() && counts_reads; }

// Paths

/// Takes `.`, `..` and double slashes out of an absolute path, in place.
static void normalise(char *path) {
  char *end = path;
  for (const char *rest = path; *rest != '\0';) {
    while (*rest == '/') rest++;
    size_t length = strcspn(rest, "/");
    if (length == 2 && rest[0] == '.' && rest[1] == '.') {
      while (end > path && *--end != '/') {}
    } else if (length > 0 && !(length == 1 && rest[0] == '.')) {
      *end++ = '/';
      memmove(end, rest, length);
      end += length;
    }
    rest += length;
  }
  if (end == path) *end++ = '/';
  *end = '\0';
}

/// The path of an open file as the kernel knows it; empty if it has none.
static void path_of_descriptor(int descriptor, char *result) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, result, PATH_MAX - 1);
  result[length < 0 ? 0 : length] = '\0';
}

void set_path(char *result, int folder, const char *path) {
  result[0] = '\0';
  if (!is_injecting() || path == NULL) return;
  int error = errno;
  size_t used = 0;
  if (path[0] != '/') {
    if (folder != AT_FDCWD) {
      path_of_descriptor(folder, result);
    } else if (getcwd(result, PATH_MAX) == NULL) {
      result[0] = '\0';
    }
    used = strlen(result);
  }
  if (snprintf(result + used, PATH_MAX - used, "/%s", path) >= (int)(PATH_MAX - used)) {
    result[0] = '\0';
  } else {
    normalise(result);
  }
  errno = error;
}

void set_descriptor(struct file_call *call, int descriptor) {
  call->descriptor = descriptor;
  if (!is_injecting()) return;
  int error = errno;
  struct stat status;
  path_of_descriptor(descriptor, call->path);
  if (fstat(descriptor, &status) == 0) {
    call->file = (struct file_identity){status.st_dev, status.st_ino};
    int flags = fcntl(descriptor, F_GETFL);
    bool appends = flags >= 0 && (flags & O_APPEND) != 0;
    call->offset = appends ? status.st_size : lseek(descriptor, 0, SEEK_CUR);
  }
  errno = error;
}

bool identity_at(const char *path, struct file_identity *identity) {
  struct stat status;
  if (lstat(path, &status) != 0) return false;
  *identity = (struct file_identity){status.st_dev, status.st_ino};
  return true;
}

static bool is_below_root(const char *path) {
  size_t length = strlen(root);
  while (length > 1 && root[length - 1] == '/') length--;
  return strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

// Calls

void prepare(struct file_call *call, enum call_kind kind, const char *name) {
  call->kind = kind;
  call->name = name;
  call->path[0] = call->second_path[0] = '\0';
  call->number = 0;
  call->descriptor = -1;
  call->file = (struct file_identity){0, 0};
  call->is_new = call->is_skipped = false;
  call->flags = 0;
  call->mode = 0;
  call->data = NULL;
  call->length = 0;
  call->offset = 0;
  call->result = 0;
  call->error = 0;
}

static unsigned traits_of(const struct file_call *call) {
  switch (call->kind) {
    case CALL_READ:
      return 0;
    case CALL_LOCK:
      return TRAIT_LOCKS;
    case CALL_CLOSE:
      return TRAIT_STORES;
    case CALL_SYNC:
      return TRAIT_CHANGES | TRAIT_STORES;
    case CALL_OPEN: {
      bool changes = (call->flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) != 0;
      if (!changes) return 0;
      return TRAIT_CHANGES | TRAIT_STORES | (call->is_new ? TRAIT_ALLOCATES : 0);
    }
    case CALL_WRITE:
      return TRAIT_CHANGES | TRAIT_STORES | TRAIT_ALLOCATES | TRAIT_WRITES;
    case CALL_ALLOCATE:
    case CALL_COPY:
      return TRAIT_CHANGES | TRAIT_STORES | TRAIT_ALLOCATES;
    case CALL_LINK:
    case CALL_SYMLINK:
    case CALL_MKDIR:
    case CALL_RENAME:
      return TRAIT_CHANGES | TRAIT_STORES | TRAIT_ALLOCATES | TRAIT_NAMES;
    case CALL_UNLINK:
    case CALL_RMDIR:
      return TRAIT_CHANGES | TRAIT_STORES | TRAIT_NAMES;
    case CALL_TRUNCATE:
    case CALL_ATTRIBUTES:
      return TRAIT_CHANGES | TRAIT_STORES;
  }
  return 0;
}

static bool is_read(const struct file_call *call) {
  return call->kind == CALL_READ || (call->kind == CALL_OPEN && call->traits == 0);
}

/// Whether a call counts: of closes, only those of files that were open for writing.
static bool is_numbered(const struct file_call *call) {
  if (is_read(call) || counts_reads) return is_read(call) && counts_reads;
  if (call->kind != CALL_CLOSE) return true;
  int flags = fcntl(call->descriptor, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

static void write_log(const struct file_call *call) {
  char line[2 * PATH_MAX + 128];
  const char letters[] = "casnwl";
  char traits[sizeof letters] = "";
  for (size_t index = 0, used = 0; letters[index] != '\0'; index++) {
    if (call->traits & (1u << index)) {
      traits[used++] = letters[index];
      traits[used] = '\0';
    }
  }
  int length = snprintf(
      line, sizeof line, "%ld %s %s %s%s%s", call->number, traits[0] == '\0' ? "-" : traits, call->name,
      call->path, call->second_path[0] == '\0' ? "" : " -> ", call->second_path);
  for (int index = 0; index < length; index++) {
    if ((unsigned char)line[index] < ' ') line[index] = '?';
  }
  line[length] = '\n';
  append_to_file(log_path, line, (size_t)length + 1);
}

void append_to_file(const char *path, const void *data, size_t length) {
  int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
  long file = syscall(SYS_openat, AT_FDCWD, path, flags, 0644);
  if (file < 0) injector_usage("a file that cannot be written", path);
  while (length > 0) {
    long written = syscall(SYS_write, file, data, length);
    if (written <= 0) injector_usage("a file that cannot be written", path);
    data = (const char *)data + written;
    length -= (size_t)written;
  }
  syscall(SYS_close, file);
}

static bool is_in_scope(const struct file_call *call) {
  return root != NULL && (is_below_root(call->path) || is_below_root(call->second_path));
}

bool enter(struct file_call *call) {
  if (!is_injecting() || !is_in_scope(call)) return true;
  int error = errno;
  take_turn();
  struct file_identity existing;
  call->is_new = call->kind == CALL_OPEN && (call->flags & O_CREAT) != 0 &&
                 !identity_at(call->path, &existing);
  call->traits = traits_of(call);
  if (is_numbered(call)) {
    call->number = ++last_number;
    if (log_path != NULL) write_log(call);
  }
  faults_before(call);
  if (!call->is_skipped) record_before(call);
  if (call->kind == CALL_LOCK) pass_turn();
  errno = error;
  return !call->is_skipped;
}

long leave(struct file_call *call) {
  if (!is_injecting() || !is_in_scope(call)) return call->result;
  // The real function left its reason in errno; a hook in `error`.
  if (!call->is_skipped) call->error = call->result == -1 ? errno : 0;
  int error = errno;
  if (call->kind == CALL_LOCK) take_turn();
  if (!call->is_skipped) {
    if (call->kind == CALL_OPEN && call->result >= 0) {
      struct stat status;
      call->descriptor = (int)call->result;
      if (fstat(call->descriptor, &status) == 0) {
        call->file = (struct file_identity){status.st_dev, status.st_ino};
      }
    }
    record_after(call);
    faults_after(call);
  }
  pass_turn();
  errno = call->result == -1 ? call->error : error;
  return call->result;
}
