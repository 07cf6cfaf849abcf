UPDATE tasks SET done = 1 WHERE id = 2;
