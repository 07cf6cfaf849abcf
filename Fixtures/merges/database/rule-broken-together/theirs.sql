UPDATE spans SET last = 6 WHERE id = 1;
