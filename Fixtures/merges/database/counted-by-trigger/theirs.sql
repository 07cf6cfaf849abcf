INSERT INTO items VALUES (1, 1, 'Milk');
UPDATE lists SET items = 1;
