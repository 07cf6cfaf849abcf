INSERT INTO notes VALUES (2, 'two');
UPDATE notes SET text = 'first' WHERE id = 1;
INSERT INTO found (found) VALUES ('rebuild');
