CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT);
CREATE VIRTUAL TABLE found USING fts5 (text, content='notes', content_rowid='id');
INSERT INTO notes VALUES (1, 'one');
INSERT INTO found (found) VALUES ('rebuild');
