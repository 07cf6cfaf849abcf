UPDATE tasks SET done = 1 WHERE id = 1;
INSERT INTO tasks VALUES (4, 2, 'Rake', 0);
