INSERT INTO tags VALUES (2, 'travel'), (3, 'work');
INSERT INTO note_tags VALUES (1, 2);
