INSERT INTO boats (id, name, length) VALUES
  (1, 'Anna', 10), -- the first
  (2, 'Mira', 22);
