INSERT INTO tasks VALUES (4, 1, 'Clean the gutter', 0);
INSERT INTO steps VALUES (2, 4, 'Borrow a ladder');
