INSERT INTO boats (id, name, length) VALUES
  (1, 'Anna', 10),
<<<<<<< ours
||||||| base
  (2, 'Mira', 20),
=======
  (2, 'Mira', 22),
>>>>>>> theirs
  (3, 'Tom', 30);
