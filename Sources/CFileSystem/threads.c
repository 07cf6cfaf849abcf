#include "CFileSystem.h"

#include <pthread.h>
#include <stddef.h>

enum { most_threads = 64 };

void docversions_run_on_threads(int count, void *(*body)(void *context), void *context) {
  pthread_t threads[most_threads];
  int started = 0;
  for (int wanted = count < most_threads ? count : most_threads; started + 1 < wanted; started++) {
    // Where the system has no more threads to give, there are fewer.
    if (pthread_create(&threads[started], NULL, body, context) != 0) break;
  }
  body(context);
  for (int number = 0; number < started; number++) pthread_join(threads[number], NULL);
}
