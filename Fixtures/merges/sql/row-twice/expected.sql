INSERT INTO boats VALUES
  (1, 'Anna', 10),
<<<<<<< ours
  (2, 'Mira', 20),
  (3, 'Tom', 30);
||||||| base
  (2, 'Mira', 20);
=======
  (2, 'Mira', 20),
  (3, 'Ida', 40);
>>>>>>> theirs
