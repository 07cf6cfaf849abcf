DELETE FROM tasks WHERE project = 2;
DELETE FROM projects WHERE id = 2;
