CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT);
CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE note_tags (
  note INTEGER REFERENCES notes(id), tag INTEGER REFERENCES tags(id), PRIMARY KEY (note, tag)) WITHOUT ROWID;
INSERT INTO notes VALUES (1, 'The train leaves at nine from the main station.'), (2, 'Bread, milk');
INSERT INTO tags VALUES (1, 'home');
INSERT INTO note_tags VALUES (2, 1);
