CREATE TABLE lists (id INTEGER PRIMARY KEY, name TEXT, items INTEGER);
CREATE TABLE items (id INTEGER PRIMARY KEY, list INTEGER REFERENCES lists(id), what TEXT);
INSERT INTO lists VALUES (1, 'Shopping', 0);
CREATE TRIGGER counted AFTER INSERT ON items BEGIN UPDATE lists SET items = items + 1 WHERE id = new.list; END;
