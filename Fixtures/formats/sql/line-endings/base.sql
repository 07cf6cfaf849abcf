INSERT INTO t VALUES (1, 'first');
INSERT INTO t VALUES (2, 'second');
INSERT INTO t VALUES (3, 'fourth');
