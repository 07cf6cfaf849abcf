CREATE TABLE boats (id int, name text, length int);

INSERT INTO boats (id, name, length) VALUES
  (1, 'Anna', 11),
  (2, 'Mira''s boat', 20),
  (3, 'Tom', 30),
  (4, 'Ida', 40);

INSERT INTO harbours VALUES
  (1, 'north');
