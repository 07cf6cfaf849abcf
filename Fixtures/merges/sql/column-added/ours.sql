INSERT INTO boats (id, name, length, place) VALUES
  (1, 'Anna', 10, 'sea'),
  (2, 'Mira', 20, 'sea');
