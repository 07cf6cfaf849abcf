// The one door to libgit2 and zlib: what Swift sees of them.
#ifndef DOCVERSIONS_CGIT2_H
#define DOCVERSIONS_CGIT2_H

#include "libgit2.h"
#include "streams.h"

#endif
