UPDATE items SET count = 2 WHERE id = 1;
