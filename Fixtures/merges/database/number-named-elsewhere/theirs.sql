INSERT INTO songs VALUES (2, 'March');
INSERT INTO plays VALUES ('11:00', 2);
