INSERT INTO notes VALUES (2, 'two');
INSERT INTO found (rowid, text) VALUES (2, 'two');
