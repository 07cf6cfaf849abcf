<<<<<<< ours
INSERT INTO boats (id, name, length, place) VALUES
  (1, 'Anna', 10, 'sea'),
  (2, 'Mira', 20, 'sea');
||||||| base
INSERT INTO boats (id, name, length) VALUES
  (1, 'Anna', 10),
  (2, 'Mira', 20);
=======
INSERT INTO boats (id, name, length) VALUES
  (1, 'Anna', 10),
  (2, 'Mira', 20),
  (3, 'Tom', 30);
>>>>>>> theirs
