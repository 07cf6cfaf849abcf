INSERT INTO steps VALUES (2, 1, 'Buy a brush');
