// libgit2 built with mbed TLS decodes the system's whole certificate bundle whenever it starts: 5 ms, more than most
// commands take, for what only an https connection needs. The program's own definition of the function that does it
// is found first. It notes what was asked for; the first TLS session then has it done.

#define _GNU_SOURCE
#include "CQuickStart.h"

#ifdef __linux__

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *awaiting;
static char *bundle;

static int parse_now(void *certificates, const char *path) {
  int (*parse)(void *, const char *) = dlsym(RTLD_NEXT, "mbedtls_x509_crt_parse_file");
  return parse != NULL ? parse(certificates, path) : -1;
}

// Only the first bundle waits, libgit2's own; any other is for a connection.
int mbedtls_x509_crt_parse_file(void *certificates, const char *path) {
  pthread_mutex_lock(&lock);
  int waits = awaiting == NULL && bundle == NULL && (bundle = strdup(path)) != NULL;
  if (waits) awaiting = certificates;
  pthread_mutex_unlock(&lock);
  return waits ? 0 : parse_now(certificates, path);
}

// Without its certificates no session is set up: a connection is never trusted for want of them.
int mbedtls_ssl_setup(void *session, const void *configuration) {
  int (*setup)(void *, const void *) = dlsym(RTLD_NEXT, "mbedtls_ssl_setup");
  if (setup == NULL) return -1;
  pthread_mutex_lock(&lock);
  int result = awaiting != NULL ? parse_now(awaiting, bundle) : 0;
  if (result >= 0) awaiting = NULL;
  pthread_mutex_unlock(&lock);
  return result < 0 ? result : setup(session, configuration);
}

#endif
