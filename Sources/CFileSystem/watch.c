#include "CFileSystem.h"

#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <unistd.h>

/// The events after which a reader may see something else.
#define CHANGES                                                                                    \
  (IN_ATTRIB | IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_MODIFY | IN_MOVE | IN_MOVE_SELF)

/// The number of folders that all programs of the user may watch; 0 where it is unknown.
static long limit_of_user(void) {
  long limit = 0;
  FILE *file = fopen("/proc/sys/fs/inotify/max_user_watches", "re");
  if (file == NULL) return 0;
  if (fscanf(file, "%ld", &limit) != 1) limit = 0;
  fclose(file);
  return limit;
}
#endif

int docversions_watch_open(int folder, long *most) {
#ifdef __linux__
  if (!docversions_is_changed_here_only(folder)) return -1;
  // Editors and file managers need theirs.
  *most = limit_of_user() / 4;
  return inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
#else
  (void)folder;
  (void)most;
  return -1;
#endif
}

int docversions_watch_add(int watch, const char *path) {
#ifdef __linux__
  return inotify_add_watch(watch, path, CHANGES | IN_ONLYDIR | IN_DONT_FOLLOW);
#else
  (void)watch;
  (void)path;
  return -1;
#endif
}

void docversions_watch_remove(int watch, int mark) {
#ifdef __linux__
  inotify_rm_watch(watch, mark);
#else
  (void)watch;
  (void)mark;
#endif
}

int docversions_watch_read(
    int watch, struct docversions_watch_report reports[DOCVERSIONS_WATCH_REPORTS]) {
#ifdef __linux__
  // Room for as many events without a name, and for one with the longest.
  union {
    struct inotify_event first;
    char bytes[DOCVERSIONS_WATCH_REPORTS * sizeof(struct inotify_event)];
  } events;
  ssize_t size;
  do {
    size = read(watch, &events, sizeof events);
  } while (size < 0 && errno == EINTR);
  if (size < 0) return errno == EAGAIN ? 0 : -1;
  int count = 0;
  for (ssize_t place = 0; place < size;) {
    const struct inotify_event *event = (const struct inotify_event *)(events.bytes + place);
    if (event->mask & (IN_Q_OVERFLOW | IN_UNMOUNT)) return -1;
    struct docversions_watch_report *report = &reports[count++];
    report->mark = event->wd;
    snprintf(report->name, sizeof report->name, "%s", event->len > 0 ? event->name : "");
    place += sizeof *event + event->len;
  }
  return count;
#else
  (void)watch;
  (void)reports;
  return -1;
#endif
}
