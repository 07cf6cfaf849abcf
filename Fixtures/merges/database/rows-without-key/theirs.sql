INSERT INTO log VALUES ('10:05', 'call'), ('10:06', 'mail');
DELETE FROM log WHERE rowid = 3;
