UPDATE items SET price = 5, count = 2 WHERE id = 1;
