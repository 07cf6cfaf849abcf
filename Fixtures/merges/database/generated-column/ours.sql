UPDATE items SET price = 5 WHERE id = 1;
