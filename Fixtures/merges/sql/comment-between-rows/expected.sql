INSERT INTO boats (id, name, length) VALUES
<<<<<<< ours
  (1, 'Anna', 11), -- the first
  (2, 'Mira', 20);
||||||| base
  (1, 'Anna', 10), -- the first
  (2, 'Mira', 20);
=======
  (1, 'Anna', 10), -- the first
  (2, 'Mira', 22);
>>>>>>> theirs
