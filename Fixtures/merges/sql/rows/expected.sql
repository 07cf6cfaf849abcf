CREATE TABLE boats (id int, name text, length int);

INSERT INTO boats (id, name, length) VALUES
  (1, 'Anne', 11),
  (2, 'Mira''s boat', 20),
  (3, 'Tom', 30),
  (4, 'Ida', 40),
  (5, 'Bo, the younger', 50);

INSERT INTO harbours VALUES
  (1, 'south');
