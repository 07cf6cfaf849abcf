CREATE TABLE items (id INTEGER PRIMARY KEY, price INTEGER, count INTEGER, total INTEGER GENERATED ALWAYS AS (price * count) STORED);
INSERT INTO items (id, price, count) VALUES (1, 3, 4);
