INSERT INTO tags VALUES (2, 'food'), (3, 'travel');
INSERT INTO note_tags VALUES (2, 3), (2, 2);
