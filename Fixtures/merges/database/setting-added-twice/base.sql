CREATE TABLE settings (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
INSERT INTO settings VALUES ('font', 'Serif');
