DELETE FROM log WHERE rowid = 1;
VACUUM;
INSERT INTO log VALUES ('09:02', 'started');
