DELETE FROM tasks WHERE id = 3;
UPDATE tasks SET done = 1 WHERE id = 2;
