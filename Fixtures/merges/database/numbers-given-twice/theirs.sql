INSERT INTO tasks VALUES (4, 2, 'Prune the roses', 0), (5, 2, 'Mow', 1);
INSERT INTO steps VALUES (2, 4, 'Sharpen the shears'), (3, 5, 'Fill the tank');
UPDATE steps SET task = 5 WHERE id = 1;
