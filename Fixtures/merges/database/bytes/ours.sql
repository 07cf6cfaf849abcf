UPDATE files SET data = x'' WHERE name = 'a';
