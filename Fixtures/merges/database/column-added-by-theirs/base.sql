CREATE TABLE projects (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE tasks (
  id INTEGER PRIMARY KEY, project INTEGER REFERENCES projects(id), title TEXT NOT NULL,
  done INTEGER NOT NULL DEFAULT 0);
CREATE TABLE steps (id INTEGER PRIMARY KEY, task INTEGER NOT NULL REFERENCES tasks, what TEXT);
INSERT INTO projects VALUES (1, 'House'), (2, 'Garden');
INSERT INTO tasks VALUES (1, 1, 'Paint the door', 0), (2, 1, 'Call the plumber', 0), (3, 2, 'Plant tulips', 0);
INSERT INTO steps VALUES (1, 1, 'Buy paint');
