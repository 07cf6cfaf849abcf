UPDATE tasks SET title = 'Call the plumber again' WHERE id = 2;
UPDATE tasks SET project = 1 WHERE id = 3;
