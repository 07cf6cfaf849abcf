add_library(a a.c)
add_library(b b.c)
add_library(c c.c)
