// The package manager builds a target of C with a source file only.
#include "CPCRE2.h"
