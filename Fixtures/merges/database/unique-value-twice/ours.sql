UPDATE tags SET name = 'house' WHERE id = 1;
