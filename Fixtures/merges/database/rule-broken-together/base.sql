CREATE TABLE spans (id INTEGER PRIMARY KEY, first INTEGER, last INTEGER, CHECK (first <= last));
INSERT INTO spans VALUES (1, 5, 10);
