DELETE FROM tasks WHERE id = 3;
