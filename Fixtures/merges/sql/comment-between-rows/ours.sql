INSERT INTO boats (id, name, length) VALUES
  (1, 'Anna', 11), -- the first
  (2, 'Mira', 20);
