UPDATE spans SET first = 9 WHERE id = 1;
