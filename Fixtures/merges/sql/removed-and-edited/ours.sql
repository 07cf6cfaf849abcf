INSERT INTO boats (id, name, length) VALUES
  (1, 'Anna', 10),
  (3, 'Tom', 30);
