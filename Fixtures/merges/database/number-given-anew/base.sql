CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT, place TEXT, done INTEGER);
INSERT INTO tasks VALUES (1, 'Paint', 'House', 0), (2, 'Mow', 'Garden', 0);
