INSERT INTO boats (id, name, length) VALUES
  (1, 'Anna', 10),
  (2, 'Mira', 20),
  (3, 'Tom', 30);
