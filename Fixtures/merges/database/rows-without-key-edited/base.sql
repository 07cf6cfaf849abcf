CREATE TABLE log (at TEXT, what TEXT);
INSERT INTO log VALUES ('09:00', 'started'), ('09:10', 'tea'), ('09:10', 'tea');
