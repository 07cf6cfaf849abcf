INSERT INTO boats VALUES
  (1, 'Anna', 10),
  (2, 'Mira', 20),
  (3, 'Ida', 40);
