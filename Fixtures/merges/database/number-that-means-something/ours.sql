INSERT INTO days VALUES (700, 'Feast');
