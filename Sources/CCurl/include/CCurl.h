// The one door to libcurl: what Swift sees of it. Like libgit2 it is loaded when it is first used, because it brings more
// libraries than most commands need.
#ifndef DOCVERSIONS_CCURL_H
#define DOCVERSIONS_CCURL_H

#include <stddef.h>
#include <stdint.h>

/// A connection to a web server, which is kept open from one request to the next.
struct docversions_web;

/// A request.
struct docversions_web_request {
  const char *url;
  /// The name and the password to sign in with; NULL for none.
  const char *user, *password;
  /// A file with certificates of authorities (PEM) in the place of the system's; NULL for these.
  const char *certificates;
  /// The address of a proxy, and the hosts that are reached without it; empty for none.
  const char *proxy, *without_proxy;
  const char *user_agent;
  /// The kinds of the answer and of the body.
  const char *accept, *content_type;
  /// A body to post: first bytes in memory, then those of a file; NULL to get.
  const void *body;
  size_t body_size;
  /// The descriptor of the file; -1 for none.
  int file;
  int64_t file_size;
  /// Seconds to wait for the connection, and for anything to be sent or received.
  long connect_seconds, idle_seconds;
  /// Gets a part of the answer, with the status of HTTP; anything but 0 ends the request.
  int (*receive)(void *context, long status, const uint8_t *bytes, size_t count);
  /// Is called every second at least, with the bytes of the body that were sent so far; anything but 0 ends the request.
  int (*proceed)(void *context, int64_t sent);
  void *context;
};

/// The way a request went.
enum docversions_web_result {
  DOCVERSIONS_WEB_DONE,
  DOCVERSIONS_WEB_STOPPED,
  DOCVERSIONS_WEB_NO_HOST,
  DOCVERSIONS_WEB_NO_CONNECTION,
  DOCVERSIONS_WEB_TIMED_OUT,
  DOCVERSIONS_WEB_NOT_TRUSTED,
  DOCVERSIONS_WEB_FAILED,
};

/// The answer to a request.
struct docversions_web_answer {
  enum docversions_web_result result;
  /// The status of HTTP; 0 where none came.
  long status;
  /// The kind of what was received, and the address that was named instead; empty where there is none.
  char content_type[128], redirect[2048];
  /// libcurl's reason, where it failed.
  char reason[256];
};

/// Loads libcurl. Returns NULL, or what is missing: a sentence that is valid until this thread loads something again.
const char *docversions_web_load(void);

/// Makes a connection; NULL without memory. libcurl must have been loaded.
struct docversions_web *docversions_web_new(void);

/// Closes a connection.
void docversions_web_free(struct docversions_web *web);

/// Sends a request, and waits for its end. Nothing is followed, kept or read but what it says.
void docversions_web_send(
  struct docversions_web *web, const struct docversions_web_request *request, struct docversions_web_answer *answer);

#endif
