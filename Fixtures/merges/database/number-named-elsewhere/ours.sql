INSERT INTO songs VALUES (2, 'Waltz');
INSERT INTO plays VALUES ('10:00', 2);
