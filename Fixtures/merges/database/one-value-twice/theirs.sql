UPDATE tasks SET title = 'Sand the door' WHERE id = 1;
