INSERT INTO log VALUES ('10:00', 'meeting');
