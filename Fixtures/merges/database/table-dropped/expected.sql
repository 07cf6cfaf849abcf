UPDATE tasks SET done = 1 WHERE id = 1;
DROP TABLE steps;
