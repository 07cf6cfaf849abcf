UPDATE tasks SET title = 'Paint it red' WHERE id = 1;
UPDATE projects SET name = 'Home' WHERE id = 1;
