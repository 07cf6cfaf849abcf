#define _GNU_SOURCE
#include "CFileSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#ifndef __linux__
/// Makes a socket one that no child process gets and that never waits.
static int prepared(int made) {
  if (made >= 0) {
    int on = 1;
    fcntl(made, F_SETFD, FD_CLOEXEC);
    fcntl(made, F_SETFL, O_NONBLOCK);
    setsockopt(made, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
  }
  return made;
}
#endif

/// A new socket that no child process gets and that never waits.
static int new_socket(void) {
#ifdef __linux__
  return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
#else
  return prepared(socket(AF_UNIX, SOCK_STREAM, 0));
#endif
}

/// The address of a name in an open folder, or of one in no folder where the number is negative: paths of sockets end at about 100 bytes, so the folder is named by its number
/// where the system can.
static int address_of(int folder, const char *name, const char *path, struct sockaddr_un *address) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  int count = -1;
#ifdef __linux__
  if (folder < 0) {
    // Names after a zero byte are not in the file system.
    snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "%s", name);
    return 0;
  }
  if (access("/proc/self/fd", X_OK) == 0) {
    count = snprintf(address->sun_path, sizeof address->sun_path, "/proc/self/fd/%d/%s", folder, name);
  }
#else
  (void)name;
  if (folder < 0) {
    errno = ENOTSUP;
    return -1;
  }
#endif
  if (count < 0) { count = snprintf(address->sun_path, sizeof address->sun_path, "%s", path); }
  if (count < 0 || (size_t)count >= sizeof address->sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  return 0;
}

static int fail(int made) {
  int cause = errno;
  close(made);
  errno = cause;
  return -1;
}

int docversions_socket_listen(int folder, const char *name, const char *path) {
  struct sockaddr_un address;
  if (address_of(folder, name, path, &address) != 0) { return -1; }
  int made = new_socket();
  if (made < 0) { return -1; }
#ifdef __linux__
  // The mode that the socket's file gets.
  if (folder >= 0 && fchmod(made, S_IRUSR | S_IWUSR) != 0) { return fail(made); }
#endif
  if (bind(made, (struct sockaddr *)&address, sizeof address) != 0) { return fail(made); }
  if (listen(made, 1024) != 0) { return fail(made); }
  return made;
}

int docversions_socket_connect(int folder, const char *name, const char *path) {
  struct sockaddr_un address;
  if (address_of(folder, name, path, &address) != 0) { return -1; }
  int made = new_socket();
  if (made < 0) { return -1; }
  if (connect(made, (struct sockaddr *)&address, sizeof address) != 0) { return fail(made); }
  return made;
}

int docversions_socket_accept(int socket) {
#ifdef __linux__
  return accept4(socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
#else
  return prepared(accept(socket, NULL, NULL));
#endif
}

int docversions_socket_peer(int socket, pid_t *process, uid_t *user) {
#ifdef __linux__
  struct ucred other;
  socklen_t size = sizeof other;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &other, &size) != 0) { return -1; }
  *process = other.pid;
  *user = other.uid;
  return 0;
#else
  gid_t group;
  if (getpeereid(socket, user, &group) != 0) { return -1; }
  socklen_t size = sizeof *process;
  return getsockopt(socket, SOL_LOCAL, LOCAL_PEERPID, process, &size);
#endif
}

ssize_t docversions_socket_send(int socket, const void *bytes, size_t count, int descriptor) {
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))];
  } control;
  struct msghdr message;
  memset(&message, 0, sizeof message);
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (descriptor >= 0) {
    memset(&control, 0, sizeof control);
    message.msg_control = control.space;
    message.msg_controllen = sizeof control.space;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
  }
#ifdef MSG_NOSIGNAL
  int flags = MSG_NOSIGNAL;
#else
  int flags = 0;
#endif
  ssize_t sent;
  do {
    sent = sendmsg(socket, &message, flags);
  } while (sent < 0 && errno == EINTR);
  return sent;
}

ssize_t docversions_socket_receive(int socket, void *bytes, size_t count, int *descriptor) {
  struct iovec part = {.iov_base = bytes, .iov_len = count};
  union {
    struct cmsghdr header;
    // More than one: those that were not asked for arrive too, and are closed.
    char space[CMSG_SPACE(8 * sizeof(int))];
  } control;
  struct msghdr message;
  memset(&message, 0, sizeof message);
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.space;
  message.msg_controllen = sizeof control.space;
#ifdef MSG_CMSG_CLOEXEC
  int flags = MSG_CMSG_CLOEXEC;
#else
  int flags = 0;
#endif
  *descriptor = -1;
  ssize_t received;
  do {
    received = recvmsg(socket, &message, flags);
  } while (received < 0 && errno == EINTR);
  if (received < 0) { return -1; }
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) { continue; }
    size_t files = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t index = 0; index < files; index++) {
      int file;
      memcpy(&file, CMSG_DATA(header) + index * sizeof(int), sizeof(int));
      if (*descriptor < 0) {
        *descriptor = file;
#ifndef MSG_CMSG_CLOEXEC
        fcntl(file, F_SETFD, FD_CLOEXEC);
#endif
      } else {
        close(file);
      }
    }
  }
  return received;
}
