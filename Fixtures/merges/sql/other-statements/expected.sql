CREATE TABLE a (id int, b int);

INSERT INTO boats (id, name, length) VALUES
  (1, 'Anna', 10),
  (2, 'Mira', 20),
  (3, 'Tom', 30),
  (4, 'Ida', 40);

CREATE INDEX i ON boats (name, length);
