CREATE TABLE settings (key TEXT PRIMARY KEY COLLATE NOCASE, value);
INSERT INTO settings VALUES ('size', 1), ('font', 'a');
