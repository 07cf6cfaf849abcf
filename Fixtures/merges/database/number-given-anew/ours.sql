DELETE FROM tasks WHERE id = 2;
INSERT INTO tasks VALUES (2, 'Read', 'Library', 0);
