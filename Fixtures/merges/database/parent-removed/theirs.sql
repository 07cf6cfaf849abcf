INSERT INTO tasks VALUES (4, 2, 'Rake the leaves', 0);
