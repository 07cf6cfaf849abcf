INSERT INTO tags VALUES (5, 'house');
