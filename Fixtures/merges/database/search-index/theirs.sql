UPDATE notes SET text = 'first' WHERE id = 1;
INSERT INTO found (found) VALUES ('rebuild');
