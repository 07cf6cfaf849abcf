INSERT INTO tags VALUES (2, 'travel'), (3, 'work'), (4, 'food');
INSERT INTO note_tags VALUES (1, 2), (2, 2), (2, 4);
