INSERT INTO boats (id, name, length) VALUES
  (1, 'It''s (old); a, b', 10),
  (2, 'Mira', 20);
