DELETE FROM log WHERE rowid = 3;
INSERT INTO log VALUES ('10:00', 'meeting'), ('10:05', 'call'), ('10:06', 'mail');
