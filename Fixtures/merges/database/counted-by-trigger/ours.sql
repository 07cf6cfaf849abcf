INSERT INTO items VALUES (1, 1, 'Bread');
UPDATE lists SET items = 1;
